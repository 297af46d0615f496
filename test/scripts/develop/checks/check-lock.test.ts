import test from "ava";
import { faultsOfLock, faultsOfProject } from "../../../../scripts/develop/checks/check-lock.ts";

const integrity = "sha512-abc=";
const NONE: ReadonlySet<string> = new Set();

test("every package of the lock file has a checksum, but for those that are listed", async (t) => {
  t.deepEqual(await faultsOfProject(), []);
});

for (const [what, packages, listed, faults] of [
  ["a package with a checksum", { "node_modules/a": { integrity } }, NONE, []],
  ["the project and its workspaces", { "": {}, docs: {}, "node_modules/docs": { link: true } }, NONE, []],
  ["a package without a checksum", { "node_modules/a": {} }, NONE, ["node_modules/a has no integrity"]],
  [
    "a package inside of another without a checksum",
    { "node_modules/a/node_modules/b": {} },
    NONE,
    ["node_modules/a/node_modules/b has no integrity"],
  ],
  ["a listed binary", { "node_modules/a": { optional: true } }, new Set(["node_modules/a"]), []],
  [
    "a listed package that is always installed",
    { "node_modules/a": {} },
    new Set(["node_modules/a"]),
    ["node_modules/a is on the list, but is not optional"],
  ],
  [
    "a listed package that has a checksum now",
    { "node_modules/a": { integrity, optional: true } },
    new Set(["node_modules/a"]),
    ["node_modules/a has an integrity: take it off the list"],
  ],
  ["a list of what is gone", {}, new Set(["node_modules/a"]), ["node_modules/a is listed, but not locked"]],
  [
    "a broken hash",
    { "node_modules/a": { integrity: "sha1-abc=" } },
    NONE,
    ["node_modules/a has an integrity of an old hash"],
  ],
  [
    "a foreign source",
    { "node_modules/a": { integrity, resolved: "https://example.com/a.tgz" } },
    NONE,
    ["node_modules/a names a host: https://example.com/a.tgz"],
  ],
] as const)
  test(`the check of the lock file on ${what}: ${faults.length === 0 ? "sound" : faults.join()}`, (t) => {
    t.deepEqual(faultsOfLock({ packages } as never, listed), [...faults]);
  });
