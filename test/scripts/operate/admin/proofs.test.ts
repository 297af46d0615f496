import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { openProofKeys } from "../../../../api/proofs/proof-keys.ts";
import type { System } from "../../../../queues/system.ts";
import { runAdminHere } from "../../../harness/processes/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "shelfwire-proof-"));
test.after.always(() => rmSync(folder, { recursive: true }));

/** Proof commands must not open the databases. */
const noSystem = new Proxy({} as System, {
  get(_, name) {
    throw new Error(`the command reads ${String(name)} of the databases`);
  },
});
const admin = (...args: string[]) => runAdminHere(noSystem, args);
const proof = {
  ...{ barcode: "A", page: 0, storeId: "main", at: "2026-03-03T09:00:00.000Z", localTime: "2026-03-03 10:00:00" },
  ...{ timeZone: "Europe/Zagreb", certainty: "CERTAIN" },
  shown: { items: [{ itemId: "4711", price: "1.99" }], since: "2026-03-03T08:00:00.000Z", until: null },
};

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

test("a key made by the command signs proofs, and the command verifies them", async (t) => {
  const made = await admin("proof-key", "--json");
  const { privateKey, keyId } = JSON.parse(made.out) as { privateKey: string; keyId: string };
  const { sign, published } = await openProofKeys({ PROOF_KEY: privateKey, PROOF_OLD_KEYS: undefined });
  const keys = file("keys.json", published);
  const saved = { proof, jws: await sign?.(JSON.stringify(proof)), unsigned: null };
  const genuine = await admin("verify-proof", file("proof.json", saved), "--keys", keys);
  t.is(genuine.code, 0, genuine.err);
  t.true(genuine.out.includes(keyId));
  t.true(genuine.out.includes("4711 at 1.99"));
  const forged = { ...saved, proof: { ...proof, barcode: "B" } };
  const refused = await admin("verify-proof", file("forged.json", forged), "--keys", keys);
  t.is(refused.code, 1);
  t.regex(refused.out, /not genuine/);
});

test("an unreadable file and a file without keys are refused with a readable message", async (t) => {
  const missing = await admin("verify-proof", join(folder, "none.json"));
  t.is(missing.code, 1);
  t.regex(missing.err, /cannot be read/);
  const noKeys = await admin("verify-proof", file("any.json", {}), "--keys", file("no-keys.json", []));
  t.is(noKeys.code, 1);
  t.regex(noKeys.err, /is not a JSON Web Key Set/);
});
