import { readFileSync } from "node:fs";
import test from "ava";
import { codeFolders, codeIn, root } from "../../../../scripts/develop/checks/code-folders.ts";

const NAMED = ["$", "{process.pid}"].join("");

test("no database or folder is named after its process, because threads share a process", async (t) => {
  const named = (await codeIn(codeFolders)).filter((path) => readFileSync(new URL(path, root), "utf8").includes(NAMED));
  t.deepEqual(named, []);
});
