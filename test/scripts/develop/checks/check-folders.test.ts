import test from "ava";
import { crowdedFolders } from "../../../../scripts/develop/checks/check-folders.ts";

const files = (folder: string, count: number, ending = "ts") =>
  Array.from({ length: count }, (_, index) => `${folder}/file-${index}.${ending}`);

for (const [what, paths, crowded] of [
  ["16 files in a folder", files("records", 16), []],
  [
    "17 files in a folder",
    files("records", 17),
    ["records holds 17 files, more than the maximum of 16: move some into a folder"],
  ],
  ["a list of one kind, and its tests", [...files("schemas", 40), ...files("test/schemas", 40)], []],
  [
    "17 tests in a folder",
    files("test/flow", 17, "test.ts"),
    ["test/flow holds 17 files, more than the maximum of 16: move some into a folder"],
  ],
  ["files in subfolders", [...files("queues", 16), ...files("queues/changes", 16)], []],
  ["files that are not code", files("scripts", 40, "json"), []],
] as const)
  test(`${what}: ${crowded.length === 0 ? "well" : "refused"}`, (t) => {
    t.deepEqual(crowdedFolders(paths), [...crowded]);
  });
