import test from "ava";
import { revokeTokens } from "../../../api/installation/revoke-tokens.ts";
import { mapClaims } from "../../../domain/access/map-claims.ts";
import { openLeases } from "../../../records/leases/leases.ts";
import type { Hold } from "../../../schemas/held-request.ts";
import { storeKey, tenantKey } from "../../../schemas/keys.ts";
import { createObservePeople } from "../../../workers/notifier/mails/observe-people.ts";
import { ownSystem } from "../../harness/own.ts";
import { notifiedPeople, TENANT } from "./notified-people.ts";

const own = ownSystem();
const people = notifiedPeople(own);
const main = storeKey(TENANT, "main");

test.serial.before(async () => {
  await people.addStore("main", "Europe/Zagreb");
  await people.addStore("other", "America/New_York");
});

const hold: Hold = {
  ...{ whole: [], rows: [], count: 3, digest: "digest", state: "WAITING", open: true, mark: "mark" },
  ...{ sentBy: { kind: "user", id: "eva", channel: "api" }, expiresAt: new Date("2100-01-01") },
} as unknown as Hold;
const accept = (store: string) =>
  own.system.accept({
    store,
    operation: "patch-items",
    rows: [{ itemId: "milk", price: "1.99" }],
    ordered: true,
    hold,
  });

test.serial(
  "permissions are verified at each check: a lost store, a removed user and an old login end notifications",
  async (t) => {
    await accept(main);
    await accept(storeKey(TENANT, "other"));
    await people.setUser("ana", ["main"], "manager");
    await people.choose("sub ana", ["HELD"], { stores: "*" });
    await people.look(1);
    t.deepEqual(await people.toldTo("sub ana"), ["HELD BEGUN main 3"], "only the person's own stores");
    await people.setUser("ana", ["elsewhere"], "manager");
    await people.look(1);
    t.deepEqual([await people.toldTo("sub ana"), (await people.read("sub ana"))?.open], [[], []]);
    await people.setUser("ana", ["main"], "shop");
    await people.look(1);
    t.deepEqual(await people.toldTo("sub ana"), [], "a role that may not approve");
    await people.setUser("ana", ["main"], "manager");
    await people.look(1);
    t.is((await people.toldTo("sub ana")).length, 1);
    await people.setUser("ana", ["main"]);
    await people.look(1);
    t.deepEqual((await people.read("sub ana"))?.open, []);

    const { store, permitOf } = people;
    const login = {
      caller: "person 7",
      tenant: TENANT,
      stores: ["main"],
      scope: "prices:approve",
      address: "eva@chain.example",
    };
    const choice = { chosen: ["HELD" as const], lateMinutes: 15, stores: "*" as const, language: "en" };
    await store().noteLogin(login);
    t.is(await store().save(permitOf("person 7"), { ...choice, address: "eve@chain.example" }), "confirm");
    t.is(
      await store().save(permitOf("person 7"), { ...choice, address: "Eva@chain.example" }),
      "saved",
      "the provider's",
    );
    await people.look(1);
    t.is((await people.toldTo("person 7")).length, 1);
    await people.look(61);
    t.deepEqual((await people.read("person 7"))?.open, [], "the last login is too old");
    await store().noteLogin(login);
    await people.look(1);
    t.is((await people.toldTo("person 7")).length, 1);
    await revokeTokens(own.system, tenantKey(TENANT), "7", { isPerson: true });
    t.true(((await people.read("person 7"))?.login?.until ?? people.now()) < people.now());
    await people.look(1);
    t.deepEqual((await people.read("person 7"))?.open, []);
    await store().save(permitOf("person 7"), { ...choice, chosen: [], address: "Eva@chain.example" });
    await people.look(1);
    t.is(await people.read("person 7"), undefined, "nothing is stored about a person who has chosen nothing");
  },
);

test.serial("when a person requests too many confirmation links, the last one stays valid", async (t) => {
  const { store, permitOf, read } = people;
  const choice = { chosen: ["HELD" as const], lateMinutes: 15, stores: "*" as const, language: "en" };
  const save = (index: number) =>
    store().save(permitOf("sub max"), { ...choice, address: `max${index}@chain.example` });
  for (let index = 0; index < 5; index += 1) t.is(await save(index), "confirm");
  t.is(await save(5), "tooMany");
  const max = await read("sub max");
  t.is(max?.pending?.address, "max4@chain.example");
  t.deepEqual(
    max?.mails.map(({ to }) => to),
    ["max4@chain.example"],
  );
});

test.serial("a round ends when another process takes its lease, and leaves the rest to that process", async (t) => {
  await people.setUser("ana", ["main"], "manager");
  await people.choose("sub ana", ["HELD"]);
  let isOurs = true;
  const hold = async () => {
    const was = isOurs;
    isOurs = false;
    return was;
  };
  // The clock advances by a minute each time it is read, as if each part of the round took a long time.
  let minutes = 0;
  const databaseNow = () => new Date(people.now().getTime() + 60_000 * minutes++);
  await createObservePeople({ ...people.worldOf(), databaseNow, leases: { ...own.system.leases, hold } }, 1)();
  t.deepEqual(await people.toldTo("sub ana"), []);
  const other = openLeases({ ...own.system, holder: "another process", clock: () => 0 });
  await own.system.leases.release("notifications");
  t.true(await other.hold("notifications", 120_000));
  await people.look(1);
  t.deepEqual(await people.toldTo("sub ana"), []);
  await other.release("notifications");
  await people.look(1);
  t.is((await people.toldTo("sub ana")).length, 1);
});

for (const [rule, verified, email, expected] of [
  ["is used if the provider has verified it", true, "ana@chain.example", "ana@chain.example"],
  ["is not used if the provider has not verified it", false, "ana@chain.example", undefined],
  ["is not used if the provider does not say whether it is verified", undefined, "ana@chain.example", undefined],
  ['is not used if "verified" is a string', "true", "ana@chain.example", undefined],
  ["is not used if it is not a valid address", true, "ana@chain.example\r\nBcc: x@y.z", undefined],
] as const)
  test(`a person's address ${rule}`, (t) => {
    const mapping = {
      user: "sub",
      roles: "groups",
      roleOf: new Map([["esl", "shop" as const]]),
      tenant: { id: TENANT },
      stores: "stores",
    };
    const claims = { sub: "7", groups: ["esl"], stores: ["main"], email, email_verified: verified };
    const person = mapClaims(claims, mapping) as { address?: string };
    t.is(person.address, expected);
  });
