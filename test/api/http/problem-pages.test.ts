import { readdir, readFile } from "node:fs/promises";
import test from "ava";
import { problems } from "../../../api/http/problem-kinds.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { refused } from "../calls.ts";

const folder = new URL("../../../docs/problems/", import.meta.url);
const names = Object.keys(problems).sort();

const shelfwire = servedStack({ workers: [] });

const getPage = (path: string, method = "GET") => fetch(`${shelfwire.origin}/problems/${path}`, { method });

test("every problem has a page, and every page a problem", async (t) => {
  t.deepEqual(
    (await readdir(folder)).sort(),
    names.map((name) => `${name}.md`),
  );
});

for (const [name, { status, title }] of Object.entries(problems)) {
  test(`the page of ${name} shows its title, its status, the remedy and an example document`, async (t) => {
    const text = await readFile(new URL(`${name}.md`, folder), "utf8");
    t.true(text.startsWith(`# ${title}\n\n\`/problems/${name}\`, status ${status}.`), text.slice(0, 120));
    t.regex(text, /\n## What it means\n\n\S/);
    t.regex(text, /\n## What to do\n\n\S/);
    const example = JSON.parse(/\n```json\n(.*?)\n```\n/s.exec(text)?.[1] ?? "") as Record<string, unknown>;
    t.like(example, { type: `/problems/${name}`, title, status });
    t.is(typeof example.detail, "string");
    t.is(typeof example.instance, "string");
  });

  test(`/problems/${name} redirects to its page without a token`, async (t) => {
    const answer = await getPage(name);
    t.is(answer.status, 200);
    t.is(answer.headers.get("content-type"), "text/markdown; charset=utf-8");
    t.is(await answer.text(), await readFile(new URL(`${name}.md`, folder), "utf8"));
  });
}

test("a problem's type resolves to its page at the address that responded", async (t) => {
  const answer = await shelfwire.call("GET", "/items/nothing");
  const { type } = await refused(t, answer, 404);
  t.is((await fetch(new URL(type, answer.url))).status, 200);
});

test("the problem pages serve no other path", async (t) => {
  for (const path of [
    "nothing",
    "constructor",
    "__proto__",
    "..%2F..%2Fpackage",
    "%2e%2e%2fdecisions",
    "not-found.md",
    "a%00",
  ])
    await refused(t, await getPage(path), 404);
  await refused(t, await getPage("not-found", "DELETE"), 405);
});
