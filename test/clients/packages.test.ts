import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import test from "ava";

const run = promisify(execFile);
const read = (file: string): Promise<string> => readFile(new URL(`../../${file}`, import.meta.url), "utf8");

for (const folder of ["docs/typescript-client", "docs/python-client"]) {
  test(`${folder} has the product's version and licence and a description`, async (t) => {
    const { version } = JSON.parse(await read("package.json"));
    const file = folder.includes("python") ? "pyproject.toml" : "package.json";
    const metadata = await read(`${folder}/${file}`);
    t.is(/^ *"?version"?\s*[:=] "(.*)"/m.exec(metadata)?.[1], version);
    t.is(await read(`${folder}/LICENSE`), await read("LICENSE"));
    t.regex(await read(`${folder}/README.md`), /^# Shelfwire for /);
    t.regex(metadata, /MIT/);
    t.notRegex(metadata, /"?private"?\s*[:=]/);
  });
}

test("a copy of the TypeScript client installs the types that its compiler settings name", async (t) => {
  const { compilerOptions } = JSON.parse(await read("docs/typescript-client/tsconfig.json"));
  const { devDependencies } = JSON.parse(await read("docs/typescript-client/package.json"));
  for (const name of compilerOptions.types) t.true(Object.hasOwn(devDependencies, `@types/${name}`), name);
});

test("the npm package contains the compiled library with its types and nothing else, and needs no other packages", async (t) => {
  const client = fileURLToPath(new URL("../../docs/typescript-client/", import.meta.url));
  const cwd = await mkdtemp(join(tmpdir(), "shelfwire-npm-"));
  t.teardown(() => rm(cwd, { recursive: true }));
  // Package scripts are disabled in this repository, but the library's own script must build it.
  const args = ["--json", "--ignore-scripts=false", "--foreground-scripts=false", "--pack-destination", cwd];
  const { stdout } = await run("npm", ["pack", ...args], { cwd: client });
  const [{ files, filename }] = JSON.parse(stdout.slice(stdout.indexOf("[")));
  t.deepEqual(files.map(({ path }: { path: string }) => path).sort(), [
    "LICENSE",
    "README.md",
    "dist/index.d.ts",
    "dist/index.js",
    "package.json",
  ]);
  await writeFile(join(cwd, "package.json"), "{}");
  await run("npm", ["install", "--offline", "--no-audit", filename], { cwd });
  const program = `import { Shelfwire } from "shelfwire-client"; console.log(typeof new Shelfwire({ store: "http://a", token: "t" }).patchItems);`;
  const { stdout: printed } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd });
  t.is(printed, "function\n");
});
