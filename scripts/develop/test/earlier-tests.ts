import { execFileSync } from "node:child_process";

/** The title of a test as it is written. In a template, `${...}` is a part of it. */
const TITLE = /\btest(?:\.serial)?\(\s*(["'`])((?:\\.|(?!\1).)+)\1/g;
const MIN_SHARE = 0.5;

/**
 * Returns the test files in which at least half the titles existed before, in any file. Their running time can be compared with
 * the time of the earlier whole run. `now` contains the text of each test file by its path.
 */
export function filesWithTitles(now: ReadonlyMap<string, string>, titlesBefore: ReadonlySet<string>): string[] {
  return [...now]
    .filter(([, text]) => {
      const titles = titlesOf(text);
      return titles.length > 0 && titles.filter((title) => titlesBefore.has(title)).length >= titles.length * MIN_SHARE;
    })
    .map(([file]) => file)
    .sort();
}

export const titlesOf = (text: string): string[] => [...text.matchAll(TITLE)].map(([, , title = ""]) => title);

/** Returns the titles of all tests at a revision. */
export function titlesAt(revision: string): Set<string> {
  const git = (args: readonly string[], input = "") =>
    execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28, input });
  const files = git(["ls-tree", "-r", "--name-only", revision, "test/"]).split("\n");
  const tests = files.filter((file) => file.endsWith(".test.ts")).map((file) => `${revision}:${file}\n`);
  return new Set(titlesOf(git(["cat-file", "--batch"], tests.join(""))));
}
