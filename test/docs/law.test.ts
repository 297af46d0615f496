import { readFileSync } from "node:fs";
import test from "ava";
import { type LawCheck, lawChecks } from "../../domain/law/provisions.ts";

test("the page about the law lists each check with its level, requirement and provisions", (t) => {
  const page = readFileSync(new URL("../../docs/integrators/law.md", import.meta.url), "utf8");
  const [, table = ""] = /<!-- checks -->\n([\s\S]*?)\n+<!-- end -->/.exec(page) ?? [];
  const rows = Object.entries<LawCheck>(lawChecks).map(([name, { of, level, requires, provisions }]) => {
    const sources = provisions.map(({ countries, source, since }) => `${countries}: ${source} (${since})`);
    return `| \`${name}\` | ${of} | ${level} | ${requires} | ${sources.join("; ")} |`;
  });
  t.deepEqual(table.split("\n").slice(2), rows);
});
