import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { reachedTests, readRepository } from "../../../../scripts/develop/test/changed-tests.ts";

const files = new Map([
  ["schemas/keys.ts", ""],
  ["records/item.ts", 'import { itemKey } from "../schemas/keys.ts";'],
  ["workers/item/process.ts", 'const { items } = await import("../../records/item.ts");'],
  ["workers/link/process.ts", ""],
  ["scripts/stack.ts", "start(`workers/${name}/process.ts`);"],
  ["scripts/products.csv", ""],
  ["docs/guide.md", ""],
  ["docs/named.md", ""],
  ["Procfile", ""],
  ["records/kinds/tenants.ts", ""],
  ["test/records/item.test.ts", '/** See `docs/named.md`. */\n// "docs/named.md"\nimport "../../records/item.ts";'],
  ["test/faults/chaos.test.ts", 'import "../../scripts/stack.ts";'],
  ["test/scripts/products.test.ts", 'new URL("../../scripts/products.csv", import.meta.url)'],
  ["test/docs/guide.test.ts", 'read("docs/guide.md"); read("Procfile");'],
  ["test/records/kinds.test.ts", 'readdir(new URL("../../records/kinds/", import.meta.url))'],
  ["test/schemas/text.test.ts", "fetch(`${origin}/process.ts`)"],
]);

for (const [what, changed, expected] of [
  ["a test selects itself", ["test/schemas/text.test.ts"], ["test/schemas/text.test.ts"]],
  [
    "an import, including a deferred one",
    ["records/item.ts"],
    ["test/faults/chaos.test.ts", "test/records/item.test.ts"],
  ],
  ["indirect imports", ["schemas/keys.ts"], ["test/faults/chaos.test.ts", "test/records/item.test.ts"]],
  ["a program started by its path, with any name", ["workers/link/process.ts"], ["test/faults/chaos.test.ts"]],
  ["a data file", ["scripts/products.csv"], ["test/scripts/products.test.ts"]],
  ["a document", ["docs/guide.md"], ["test/docs/guide.test.ts"]],
  ["a file without an extension", ["Procfile"], ["test/docs/guide.test.ts"]],
  ["a folder that is read, with a new file in it", ["records/kinds/tenants.ts"], ["test/records/kinds.test.ts"]],
  ["a deleted file", ["test/gone.test.ts"], []],
  ["a file that only comments name", ["docs/named.md"], []],
  ["nothing", [], []],
] as const) {
  test(`a change selects the tests that name it: ${what}`, (t) => {
    t.deepEqual(reachedTests(changed, files), [...expected]);
  });
}

for (const file of ["package-lock.json", "ava.config.mjs", "scripts/prepare.mjs"]) {
  test(`${file} selects every test`, (t) => {
    t.is(reachedTests([file], files).length, 6);
  });
}

test("in this repository a change selects the necessary tests and few others", (t) => {
  const repository = readRepository();
  const reached = (file: string) => reachedTests([file], repository);
  t.true(reached("scripts/demo/products.csv").includes("test/faults/killed/chaos.test.ts"));
  t.true(reached("docs/integrators/calls.md").includes("test/docs/integrators.test.ts"));
  t.true(reached("workers/merger/process.ts").includes("test/flow/price-on-the-glass.test.ts"));
  t.true(reached("schemas/keys.ts").length > 100);
  t.true(reached("test/harness/searches/turns.ts").length < 20);
});

test("untracked files count as changed, and an unknown revision is an error", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "changed-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "new.ts"), "");
  const module = new URL("../../../../scripts/develop/test/changed-tests.ts", import.meta.url).href;
  const ask = (revision: string) =>
    execFileSync(
      process.execPath,
      ["-e", `import("${module}").then((m) => console.log(m.changedSince("${revision}")))`],
      {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  git("init");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--allow-empty", "--message", "first");
  t.regex(ask("HEAD"), /'new\.ts'/);
  t.throws(() => ask("nowhere"), { message: /nowhere/ });
});
