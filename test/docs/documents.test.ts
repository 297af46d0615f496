import { readFile } from "node:fs/promises";
import test from "ava";
import { processNames } from "../../queues/topology.ts";
import { exampleEnvironment } from "../../schemas/environment.ts";
import { storedOpenApi, writeOpenApi } from "../../scripts/develop/openapi.ts";
import { anchorsOf, documentFiles } from "./commands/command-blocks.ts";

const read = (file: string): Promise<string> => readFile(new URL(`../../${file}`, import.meta.url), "utf8");

test(".env.example matches the table of settings (npm run environment-example)", async (t) => {
  t.is(await read(".env.example"), exampleEnvironment());
});

test("every OpenAPI document, the collection and the errors page match the operations (npm run openapi)", async (t) => {
  for (const [name, text] of Object.entries(await writeOpenApi())) t.is(await storedOpenApi(name), text, name);
});

test("every process is in the Procfile, in a script and in app.json, under its own name", async (t) => {
  const procfile = [...(await read("Procfile")).matchAll(/^([\w-]+): (.+)$/gm)].map(([, name]) => name);
  t.deepEqual(procfile, ["release", "web", ...processNames]);
  const { scripts } = JSON.parse(await read("package.json"));
  const { formation } = JSON.parse(await read("app.json"));
  for (const name of ["web", ...processNames]) {
    t.truthy(scripts[name], name);
    t.deepEqual(formation[name], { quantity: 1 }, name);
  }
});

test("every command in the documents is a script of the package", async (t) => {
  const { scripts } = JSON.parse(await read("package.json"));
  for (const file of documentFiles()) {
    for (const [, named, plain] of (await read(file)).matchAll(/npm run(?: --silent)? ([\w-]+)|npm (start|test)\b/g)) {
      t.truthy(scripts[named ?? plain ?? ""], `${file} names npm run ${named ?? plain}`);
    }
  }
});

test("every link in the documents leads to an existing file and heading", async (t) => {
  for (const file of documentFiles()) {
    const folder = file.slice(0, file.lastIndexOf("/") + 1);
    for (const [, path = "", anchor = ""] of (await read(file)).matchAll(/\]\(([^)#:]*)(?:#([\w-]+))?\)/g)) {
      const target = path === "" ? file : folder + path;
      const document = await read(target);
      if (anchor !== "") t.true(anchorsOf(document).has(anchor), `${file} leads to ${target}#${anchor}`);
    }
  }
});

test("each decision is in the index once", async (t) => {
  const folder = "docs/decisions/";
  const linked = [...(await read(`${folder}README.md`)).matchAll(/\]\((\w[\w/-]+\.md)\)/g)].map(([, path]) => path);
  const stored = documentFiles().filter((file) => file.startsWith(folder) && !file.endsWith("README.md"));
  t.deepEqual(linked.toSorted(), stored.map((file) => file.slice(folder.length)).toSorted());
});

/** Documents generated from what they describe, as one table. */
const GENERATED = ["docs/errors.md", "docs/operations/roles.md"];

test("a handwritten document has at most 400 lines and 3,000 words", async (t) => {
  for (const file of documentFiles().filter((one) => !GENERATED.includes(one))) {
    const document = await read(file);
    t.true(document.split("\n").length <= 400, `${file} has ${document.split("\n").length} lines`);
    // A table's rules are no words.
    const words = document.split(/[\s|]+/).length;
    t.true(words <= 3000, `${file} has ${words} words`);
  }
});
