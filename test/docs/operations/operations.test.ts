import { readFileSync } from "node:fs";
import test from "ava";
import { admin } from "../../../scripts/operate/admin/commands.ts";
import { parseCall } from "../../../scripts/operate/admin/parse-call.ts";
import { documentFiles } from "../commands/command-blocks.ts";

const operations = documentFiles()
  .filter((file) => file.startsWith("docs/operations/"))
  .map((file) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8"))
  .join("\n");

test("every operator command that the pages show is called correctly", (t) => {
  const calls = [...operations.matchAll(/^ *npm run admin -- (.+)$/gm)].map(([, call = ""]) =>
    [...call.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word),
  );
  t.true(calls.length >= 10);
  for (const call of calls) t.notThrows(() => parseCall(admin, call), call.join(" "));
});
