import test from "ava";
import { faultsOfLock } from "../../../../scripts/develop/checks/check-lock.ts";

const integrity = "sha512-abc=";

for (const [what, packages, faults] of [
  ["a package with a checksum", { "node_modules/a": { integrity } }, []],
  ["the project and its workspaces", { "": {}, docs: {}, "node_modules/docs": { link: true } }, []],
  ["a package without a checksum", { "node_modules/a": {} }, ["node_modules/a has no integrity"]],
  [
    "a package inside another without a checksum",
    { "node_modules/a/node_modules/b": {} },
    ["node_modules/a/node_modules/b has no integrity"],
  ],
  [
    "a broken hash",
    { "node_modules/a": { integrity: "sha1-abc=" } },
    ["node_modules/a has an integrity value with an outdated hash"],
  ],
  [
    "a foreign source",
    { "node_modules/a": { integrity, resolved: "https://example.com/a.tgz" } },
    ["node_modules/a names a host: https://example.com/a.tgz"],
  ],
] as const)
  test(`the lock file check for ${what}: ${faults.length === 0 ? "sound" : faults.join()}`, (t) => {
    t.deepEqual(faultsOfLock({ packages }), [...faults]);
  });
