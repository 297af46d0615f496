import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import test from "ava";
import type { JSONWebKeySet } from "jose";
import { checkProof } from "../../../api/pages/browser/proofs/check-proof.ts";
import { openProofKeys } from "../../../api/proofs/proof-keys.ts";
import { verifyPage } from "../../../api/proofs/verify-page.ts";
import { ProofError, verifyProof } from "../../../api/proofs/verify-proof.ts";
import { keyText, privateKeyOf, publicKeysOf } from "../../../schemas/proof-key.ts";

const [present, former] = [generateKeyPairSync("ed25519"), generateKeyPairSync("ed25519")];
const open = ({ privateKey }: { privateKey: KeyObject }, old?: string) =>
  openProofKeys({ PROOF_KEY: keyText(privateKey), PROOF_OLD_KEYS: old });
const keysOf = async (...parameters: Parameters<typeof open>) =>
  (await open(...parameters)).published as JSONWebKeySet & { keys: { kid: string }[] };

const proof = { version: 1, barcode: "A", shown: { items: [{ itemId: "4711", price: "1.99", rev: 7 }] } };
async function saved(keys = open(present)): Promise<string> {
  const { sign } = await keys;
  return JSON.stringify({ proof, jws: await sign?.(JSON.stringify(proof)), unsigned: null });
}

test("the page and the command verify a proof with the published keys", async (t) => {
  const keys = await keysOf(present);
  const { proof: verified }: { proof: unknown } = await verifyProof(await saved(), keys);
  t.deepEqual(verified, proof);
  t.like(await checkProof(await saved(), keys.keys), { is: "valid", proof, keyId: keys.keys[0]?.kid });
  const { jws } = JSON.parse(await saved());
  t.like(await verifyProof(jws, keys), { keyId: keys.keys[0]?.kid });
  t.is((await checkProof(jws, keys.keys)).is, "valid");
});

test("a change to any byte is detected", async (t) => {
  const [text, keys] = [await saved(), await keysOf(present)];
  for (let place = 0; place < text.length; place += 1) {
    const other = text[place] === "A" ? "B" : "A";
    const changed = text.slice(0, place) + other + text.slice(place + 1);
    await t.throwsAsync(verifyProof(changed, keys), { instanceOf: ProofError }, changed);
    t.not((await checkProof(changed, keys.keys)).is, "valid", changed);
  }
});

test("a signature that encodes the same bytes in different characters is refused", async (t) => {
  const [text, keys] = [await saved(), await keysOf(present)];
  const { jws } = JSON.parse(text) as { jws: string };
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (const letter of letters) {
    const changed = jws.slice(0, -1) + letter;
    if (changed === jws) continue;
    await t.throwsAsync(verifyProof(changed, keys), { instanceOf: ProofError });
    t.not((await checkProof(changed, keys.keys)).is, "valid");
  }
});

test("a proof with a former key is genuine while that key is published, and a proof with a foreign key never is", async (t) => {
  const old = await saved(open(former));
  const rotated = await keysOf(present, keyText(former.publicKey));
  t.is(rotated.keys.length, 2);
  const { proof: verified }: { proof: unknown } = await verifyProof(old, rotated);
  t.deepEqual(verified, proof);
  await t.throwsAsync(verifyProof(old, await keysOf(present)), { message: /none of the given public keys/ });
  t.is((await checkProof(old, (await keysOf(present)).keys)).is, "key");
  t.is((await checkProof(old, [])).is, "noKeys");
});

test("a proof without a signature says so", async (t) => {
  const text = JSON.stringify({ proof, jws: null, unsigned: "No key is configured." });
  await t.throwsAsync(verifyProof(text, await keysOf(present)), { message: /no signature/ });
  t.is((await checkProof(text, (await keysOf(present)).keys)).is, "unsigned");
});

test("verification opens no connection", async (t) => {
  const opened: unknown[] = [];
  for (const channel of ["net.client.socket", "undici:request:create", "http.client.request.start"])
    subscribe(channel, (message) => void opened.push(message));
  const keys = await keysOf(present);
  await verifyProof(await saved(), keys);
  await checkProof(await saved(), keys.keys);
  t.deepEqual(opened, []);
});

test("the verification page is a single document that contains no address and allows no connection", async (t) => {
  const text = await verifyPage(await open(present));
  t.true(text.includes("default-src &#39;none&#39;"));
  t.notRegex(text, /\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|https?:\/\/|<link rel="stylesheet"|src="[^"]/);
  for (const language of ["English", "Deutsch", "Hrvatski"]) t.true(text.includes(language));
});

test("keys are read as PEM and as Base64, but only Ed25519 keys", (t) => {
  const pem = present.privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  t.true(privateKeyOf(pem)?.equals(present.privateKey));
  t.true(privateKeyOf(keyText(present.privateKey))?.equals(present.privateKey));
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  t.is(privateKeyOf(rsa.export({ format: "pem", type: "pkcs8" }).toString()), undefined);
  t.is(privateKeyOf("a key"), undefined);
  const both = [present, former].map(({ publicKey }) => keyText(publicKey));
  t.is(publicKeysOf(both.join(","))?.length, 2);
  t.is(publicKeysOf(`${both[0]},nothing`), undefined);
});
