import { access, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path/posix";
import test from "ava";
import { publishedBy } from "../../queues/topology.ts";
import { derivedKinds, storedArchitecture, writeArchitecture } from "../../scripts/develop/architecture.ts";
import { codeFolders } from "../../scripts/develop/checks/code-folders.ts";
import { anchorsOf } from "./commands/command-blocks.ts";

const root = new URL("../../", import.meta.url);

/** Returns the rows of the table under a heading, as cells. */
function tableUnder(document: string, heading: string): string[][] {
  const from = document.indexOf(`\n## ${heading}\n`);
  const end = document.indexOf("\n## ", from + 1);
  return rowsOf(document.slice(from, end < 0 ? undefined : end));
}

/** Returns the rows of a section's table, as cells. */
const rowsOf = (section: string): string[][] => {
  const rows = section.split("\n").filter((line) => line.startsWith("| "));
  return rows.slice(1).map((row) => row.slice(2, -2).split(" | "));
};

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(new URL(`${folder}/`, root), { withFileTypes: true });
  const nested = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map(({ name }) => filesBelow(`${folder}/${name}`)),
  );
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => `${folder}/${name}`);
  return [...files, ...nested.flat()];
}

const isCode = (path: string): boolean => /\.(ts|mjs)$/.test(path);

test("the generated parts of docs/architecture.md match the code (npm run architecture)", async (t) => {
  const stored = await storedArchitecture();
  t.is(stored, await writeArchitecture(stored));
});

test("a worker publishes every kind that it derives", (t) => {
  for (const { worker, kind } of derivedKinds)
    t.true(
      publishedBy(worker).some((topic) => topic === kind),
      `${worker} ${kind}`,
    );
});

test("the glossary has at most 16 terms, each with the file that defines it", async (t) => {
  const rows = tableUnder(await storedArchitecture(), "Glossary");
  t.true(rows.length > 0 && rows.length <= 16, `${rows.length} words`);
  for (const [word, , file = ""] of rows)
    await t.notThrowsAsync(access(new URL(file.replaceAll("`", ""), root)), `${word} is defined in ${file}`);
});

test("every folder in the table of rooms exists", async (t) => {
  for (const [folders = ""] of tableUnder(await storedArchitecture(), "Rooms")) {
    const [first = "", ...others] = [...folders.matchAll(/`([^`]+)\/`/g)].map(([, folder = ""]) => folder);
    // The other folders of a row are next to the first, or are written in full.
    const paths = others.map((other) => (other.includes("/") ? other : join(dirname(first), other)));
    for (const path of [first, ...paths]) await t.notThrowsAsync(readdir(new URL(`${path}/`, root)), path);
  }
});

test("each question of docs/architecture/where.md stands there once, with an existing file", async (t) => {
  const document = await readFile(new URL("docs/architecture/where.md", root), "utf8");
  const rows = document.split("\n## ").slice(1).flatMap(rowsOf);
  t.true(rows.length >= 200, `${rows.length} questions`);
  t.is(new Set(rows.map(([question]) => question)).size, rows.length);
  for (const [question, file = ""] of rows)
    await t.notThrowsAsync(access(new URL(file.replaceAll("`", ""), root)), `${question} ${file}`);
});

test("every invariant names existing tests", async (t) => {
  const document = await readFile(new URL("docs/architecture/guarantees.md", root), "utf8");
  const invariants = document.split("\n## ").slice(1);
  t.is(invariants.length, 5);
  for (const invariant of invariants) {
    const tests = [...invariant.matchAll(/`(test\/[\w/-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
    t.true(tests.length > 0, invariant.split("\n", 1)[0]);
    for (const file of tests) await t.notThrowsAsync(access(new URL(file, root)), file);
  }
});

test("every document and anchor that the code names exists", async (t) => {
  const files = (await Promise.all(codeFolders.map(filesBelow))).flat().filter(isCode);
  const documents = new Map<string, string>();
  for (const file of files) {
    for (const [, name = "", anchor = ""] of (await readFile(new URL(file, root), "utf8")).matchAll(
      /\bdocs\/([\w/-]+\.md)(?:#([\w-]+))?/g,
    )) {
      // Tests may name documents that do not exist.
      if (anchor === "" && file.split("/", 1)[0] === "test") continue;
      const document = documents.get(name) ?? (await readFile(new URL(`docs/${name}`, root), "utf8"));
      documents.set(name, document);
      if (anchor !== "") t.true(anchorsOf(document).has(anchor), `${file} names docs/${name}#${anchor}`);
    }
  }
});
