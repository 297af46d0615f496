import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "ava";

const SCRIPTS = "api/pages/browser";
/** APIs that browsers offer only on secure origins; no page may need them in order to write. */
const SECURE_ONLY = /\bcrypto\s*\.\s*(randomUUID|subtle)\s*[.(]/;
/** This script writes nothing, and on insecure origins it says that the browser cannot verify. */
const VERIFIES = "proofs/check-proof.ts";

test("no page script needs a secure origin to create its keys", (t) => {
  const files = readdirSync(SCRIPTS, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  t.true(files.length > 0);
  for (const file of files.filter((name) => name !== VERIFIES))
    t.notRegex(readFileSync(join(SCRIPTS, file), "utf8"), SECURE_ONLY, file);
});
