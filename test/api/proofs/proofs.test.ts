import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { inflateSync } from "node:zlib";
import test from "ava";
import type { JSONWebKeySet } from "jose";
import { createDateText } from "../../../api/http/date-text.ts";
import { verifyProof } from "../../../api/proofs/verify-proof.ts";
import type { LabelShown, SignedProof } from "../../../schemas/proof.ts";
import { keyText } from "../../../schemas/proof-key.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, moveToUtc, writeItems, writeLabels } from "../calls.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const shelfwire = ownStack({ settings: { PROOF_KEY: keyText(privateKey) } });
const label = labelFor("proven");

test.serial.before(async () => {
  await moveToUtc(shelfwire);
  await writeItems(shelfwire, [{ itemId: "proven", itemName: "Proven", price: "1.99" }]);
  await writeLabels(shelfwire, [{ barcode: label, links: [{ itemId: "proven" }] }]);
  await glassOf(shelfwire, label);
  // The report is sent after the picture, and `at` has whole seconds.
  await eventually("the label's acknowledgement can be proved", async () => {
    const signed = await bodyOf<SignedProof>(await prove(localTime()));
    return signed.proof.acknowledgement !== null;
  });
});

/** Formats a time in the store's zone, as the API accepts it. */
const localTime = (later = 0): string => createDateText("UTC", false)(new Date(Date.now() + later));
const prove = (at: string, token?: string) =>
  shelfwire.call(
    "GET",
    `/labels/${label}/proof?${new URLSearchParams({ at })}`,
    undefined,
    token === undefined ? {} : { authorization: `Bearer ${token}` },
  );

test("a label's proof says what the label shows, by which rule and design, and is signed by the published key", async (t) => {
  const signed = await bodyOf<SignedProof>(await prove(localTime()));
  t.like(signed, {
    unsigned: null,
    proof: { barcode: label, tenantId: "demo", storeId: "main", withheld: [], acknowledgement: { labelServer: null } },
  });
  const [item] = signed.proof.shown?.items ?? [];
  t.like(item, { itemId: "proven", price: "1.99" });
  t.truthy(item?.rule?.scenarioId);
  t.truthy(item?.design?.designId);
  t.truthy(signed.proof.png);
  const keys = (await (await fetch(`${shelfwire.origin}/api/proofs/keys.json`)).json()) as JSONWebKeySet;
  t.deepEqual((await verifyProof(JSON.stringify(signed), keys)).proof, signed.proof);
  t.is(keys.keys[0]?.x, createPublicKey(privateKey).export({ format: "jwk" }).x);
  t.false("d" in (keys.keys[0] ?? {}));
});

/** Yields the contents of each compressed stream of a PDF. */
function* streamsOf(pdf: Buffer): Generator<Buffer> {
  for (let at = 0; ; ) {
    const begin = pdf.indexOf("stream\n", at);
    if (begin < 0) return;
    at = pdf.indexOf("endstream", begin);
    const content = pdf.subarray(begin + "stream\n".length, at);
    if (content[0] === 0x78) yield inflateSync(content);
    at += "endstream".length;
  }
}

test("a PDF of a proof contains the signed proof, in the language of the call", async (t) => {
  const at = new URLSearchParams({ at: localTime() });
  const headers = { accept: "application/pdf", "accept-language": "hr-HR, en;q=0.5" };
  const answer = await shelfwire.call("GET", `/labels/${label}/proof?${at}`, undefined, headers);
  t.is(answer.status, 200);
  t.is(answer.headers.get("content-type"), "application/pdf");
  const pdf = Buffer.from(await answer.arrayBuffer());
  t.is(pdf.subarray(0, 5).toString(), "%PDF-");
  t.true(pdf.includes("/Lang (hr)"));
  const attached = [...streamsOf(pdf)].map(String).find((text) => text.startsWith('{"proof"')) ?? "";
  const keys = (await (await fetch(`${shelfwire.origin}/api/proofs/keys.json`)).json()) as JSONWebKeySet;
  t.is((await verifyProof(attached, keys)).proof.barcode, label);
  const german = await shelfwire.call("GET", `/labels/${label}/proof?${at}&format=pdf&language=de`);
  t.true(Buffer.from(await german.arrayBuffer()).includes("/Lang (de)"));
  const unknown = await shelfwire.call(
    "GET",
    `/labels/${label}/proof?${new URLSearchParams({ at: "2020-01-01 00:00:00" })}&format=pdf`,
  );
  t.is(unknown.headers.get("content-type"), "application/pdf", "even for a time about which nothing is known");
});

test("what a label showed before its first picture is unknown", async (t) => {
  const { proof } = await bodyOf<SignedProof>(await prove("2020-01-01 00:00:00"));
  t.like(proof, { certainty: "UNKNOWN", shown: null, acknowledgement: null, gaps: [{ reason: "EXPIRED" }] });
});

test("a time in the future and an unknown label are refused with a readable message", async (t) => {
  const future = await prove(localTime(86_400_000));
  t.is(future.status, 400);
  t.regex(((await future.json()) as { detail: string }).detail, /in the future/);
  const unknown = await shelfwire.call("GET", `/labels/none/proof?${new URLSearchParams({ at: localTime() })}`);
  t.is(unknown.status, 404);
});

test("prices and rules are withheld from a token without their scopes", async (t) => {
  const token = await shelfwire.token({ scope: "labels:read" });
  const { proof } = await bodyOf<SignedProof>(await prove(localTime(), token));
  t.deepEqual(proof.withheld, ["items:read", "design:read"]);
  t.like(proof.shown?.items[0], { itemId: "proven", price: null, rule: null });
});

test("a proof for several labels lists what they showed, with the prices", async (t) => {
  const query = new URLSearchParams({ at: localTime(), barcode: `${label},none` });
  const [one, none] = await bodyOf<LabelShown[]>(await shelfwire.call("GET", `/labels/shown?${query}`));
  t.like(one, { barcode: label, shown: { items: [{ itemId: "proven", price: "1.99" }] } });
  t.like(none, { barcode: "none", shown: null, certainty: "UNKNOWN" });
});
