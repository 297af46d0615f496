import { readFile, writeFile } from "node:fs/promises";
import { readCommandLine } from "../command-line.ts";
import { isAllowed, licenceOf } from "./allowed.ts";
import { type InstalledPackage, readPackages, readTexts } from "./packages.ts";

/** `npm run notices` writes THIRD-PARTY-NOTICES. The checks fail if it is out of date, or if a licence is not on the list. */
const file = new URL("../../../THIRD-PARTY-NOTICES", import.meta.url);

const INTRODUCTION = `Shelfwire is under the licence in LICENSE. An installation also has the packages below, which are their authors' and under
their own licences. Written by \`npm run notices\`.

@resvg/resvg-wasm is under the Mozilla Public License 2.0 and is used unchanged; its source is at
https://github.com/yisibl/resvg-js, that of resvg at https://github.com/linebender/resvg.

The fonts (@expo-google-fonts/*, dejavu-fonts-ttf) are under the SIL Open Font License 1.1 and the licence of Bitstream Vera.

The package hyphen contains hyphenation patterns of the project hyph-utf8 (https://www.hyphenation.org/tex), each under its own licence.
Shelfwire reads only those whose licence allows everybody to pass them on without conditions on other code; see
docs/designs/hyphenation.md.
`;

const RULE = "-".repeat(100);

/** Returns the licences of packages that are not on the list. */
export const licenceFaults = (packages: readonly InstalledPackage[]): string[] =>
  packages
    .filter((one) => !isAllowed(licenceOf(one)))
    .map(
      (one) =>
        `${one.name}@${one.version} is under "${licenceOf(one)}", which scripts/develop/licences/allowed.ts does not list`,
    );

/** Returns the file with the notices of all packages. Notices that differ only in the names of their authors appear once. */
export async function writeNotices(packages: readonly InstalledPackage[]): Promise<string> {
  const lines = packages.map((one) => `${one.name}@${one.version}: ${licenceOf(one)}`);
  const byBody = new Map<string, { text: string; of: string[] }>();
  for (const one of packages) {
    for (const text of await readTexts(one)) {
      const { authors, body } = partsOf(text);
      const key = body.toLowerCase().replaceAll(/[^a-z0-9]+/g, " ");
      const known = byBody.get(key) ?? { text: body, of: [] };
      known.of.push([`${one.name}@${one.version}`, ...authors.map((author) => `  ${author}`)].join("\n"));
      byBody.set(key, known);
    }
  }
  const parts = [...byBody.values()].map(({ text, of }) => `${of.join("\n")}\n\n${text}`);
  return `${[INTRODUCTION, lines.join("\n"), ...parts].join(`\n${RULE}\n\n`)}\n`;
}

/** Returns a licence's text without the lines that name authors, and these lines separately. */
function partsOf(text: string): { authors: string[]; body: string } {
  const lines = text.replaceAll("\r\n", "\n").trim().split("\n");
  const isAuthor = (line: string) => /^\W*(?:copyright|\(c\)|©)/i.test(line) && line.length < 200;
  return {
    authors: lines.filter(isAuthor).map((line) => line.trim()),
    body: lines
      .filter((line) => !isAuthor(line))
      .map((line) => line.trimEnd())
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim(),
  };
}

/** Returns what is wrong with the licences, and whether the file differs from what `npm run notices` writes. */
export async function faultsOfNotices(): Promise<string[]> {
  const packages = await readPackages();
  const stored = await readFile(file, "utf8").catch(() => "");
  const isCurrent = stored === (await writeNotices(packages));
  return [...licenceFaults(packages), ...(isCurrent ? [] : ["THIRD-PARTY-NOTICES is out of date: npm run notices"])];
}

if (import.meta.main) {
  const { options } = readCommandLine("npm run notices --", {
    arguments: [],
    means: "write THIRD-PARTY-NOTICES from the packages of an installation",
    options: { check: { means: "write nothing; fail if a licence is not on the list or the file is out of date" } },
  });
  if (options.check) {
    const faults = await faultsOfNotices();
    for (const fault of faults) process.stdout.write(`${fault}\n`);
    if (faults.length > 0) process.exitCode = 1;
  } else await writeFile(file, await writeNotices(await readPackages()));
}
