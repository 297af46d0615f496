import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { root } from "../../prepare/programs.mjs";
import { readCommandLine } from "../command-line.ts";
import { makeSite } from "./pages.ts";

const { options } = readCommandLine("npm run site --", {
  arguments: [],
  means: "make a site of the documents",
  options: { output: { takes: "FOLDER", means: "folder of the site, which is replaced", initial: ".test/site" } },
});
const folder = resolve(options.output);
await rm(folder, { recursive: true, force: true });
const site = await makeSite((path) => readFile(join(root, path)));
for (const [place, content] of site) {
  const file = join(folder, place);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
process.stdout.write(`${site.size} files in ${folder}: begin at ${join(folder, "index.html")}\n`);
