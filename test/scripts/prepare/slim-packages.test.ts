import { readFileSync } from "node:fs";
import test from "ava";
import { unneededPackages } from "../../../scripts/prepare/slim-packages.mjs";

test("an optional peer is not needed, and whatever a needed package resolves to is needed, nested or not", (t) => {
  const packages = {
    "": { dependencies: { board: "1" } },
    "node_modules/board": { dependencies: { views: "1" }, peerDependencies: { queue: "1" } },
    "node_modules/board/node_modules/views": {
      dependencies: { path: "1" },
      optionalDependencies: { native: "1", "not-for-this-system": "1" },
      peerDependencies: { typescript: "5" },
      peerDependenciesMeta: { typescript: { optional: true } },
    },
    "node_modules/views": {},
    "node_modules/path": { dependencies: { board: "1" } },
    "node_modules/native": {},
    "node_modules/queue": {},
    "node_modules/typescript": { dependencies: { "typescript-of-this-system": "5" } },
    "node_modules/typescript-of-this-system": {},
    // A workspace's folder is in the repository.
    "docs/client": { dependencies: { path: "1" } },
  };
  t.deepEqual(unneededPackages(packages), [
    "node_modules/views",
    "node_modules/typescript",
    "node_modules/typescript-of-this-system",
  ]);
});

test("the product's own packages are needed, and TypeScript and Babel are not", (t) => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const { dependencies } = packages[""];
  const unneeded = new Set(unneededPackages({ ...packages, "": { dependencies } }));
  for (const name of Object.keys(dependencies)) t.false(unneeded.has(`node_modules/${name}`), name);
  t.true(unneeded.has("node_modules/typescript"));
  t.true(unneeded.has("node_modules/@babel/core"));
});
