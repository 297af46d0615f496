import test from "ava";
import { actorOf, authorOf } from "../../../api/access/actor-of.ts";
import { type Chunk, journalCollection } from "../../../records/requests/journal.ts";
import { PLATFORM } from "../../../schemas/token.ts";
import { ownStack } from "../../harness/own.ts";
import { numberOf } from "../calls.ts";

const shelfwire = ownStack({ workers: [], leavesStale: "no worker applies the request" });

const rights = { caller: "sub ana", subject: "ana", scopes: new Set(["items:write"]) };

for (const [who, permit, actor] of [
  ["a person with a session", { ...rights, hasSession: true }, { kind: "user", id: "ana", channel: "pages" }],
  [
    "a person from the identity provider, who may have a user's name",
    { ...rights, isPerson: true, hasSession: true },
    { kind: "sso-user", id: "ana", channel: "pages" },
  ],
  ["a program with a token", rights, { kind: "api-user", id: "ana", channel: "interface" }],
  [
    "a token without a subject",
    { caller: "client erp", scopes: new Set<string>() },
    { kind: "api-user", id: "client erp", channel: "interface" },
  ],
  ["the operator", { ...rights, scopes: new Set([PLATFORM]) }, { kind: "operator", id: "ana", channel: "interface" }],
] as const)
  test(`the actor of a call: ${who}`, (t) => {
    t.deepEqual(actorOf(permit), actor);
  });

test("an author's name distinguishes a user from a person in the identity provider", (t) => {
  t.deepEqual([authorOf(rights), authorOf({ ...rights, isPerson: true })], ["ana", "ana (SSO)"]);
});

test("a request is journaled with its actor and its call", async (t) => {
  const headers = {
    authorization: `Bearer ${await shelfwire.token({ subject: "erp" })}`,
    "x-request-id": "nightly-list",
  };
  const number = await numberOf(await shelfwire.call("PATCH", "/items", [{ itemId: "milk", price: "1.09" }], headers));
  const chunk = (await journalCollection(shelfwire.system.db).findOne({ number })) as Chunk;
  t.like(chunk.cause, {
    request: number,
    call: "nightly-list",
    actor: { kind: "api-user", id: "erp", channel: "interface" },
  });
});
