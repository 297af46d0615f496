import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { posix } from "node:path";

/** The files on which every test depends, even if it does not refer to them. */
const EVERYTHING = /^(package(-lock)?\.json|ava\.config\.mjs|tsconfig\.json|scripts\/(run|prepare)\.mjs)$/;
const IS_TEST = /^test\/.*\.test\.ts$/;
const IS_CODE = /\.(ts|mjs)$/;
/** A line of a comment. A path in it is not a reference. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*).*$/gm;
/** A string in quotes that may be a path. */
const QUOTED = /(["'`])((?:\$\{[^}]*\}|[\w@./-])+)\1/g;

/**
 * Returns the tests that a change to these files can affect: tests that import them, and tests that reach them through a path
 * in a string (relative to the file or to the root), such as a program that is started or a folder or data file that is read.
 * In a template, `${...}` matches any name. `files` are the repository's files, with the content of code files.
 */
export function reachedTests(changed: readonly string[], files: ReadonlyMap<string, string>): string[] {
  const tests = [...files.keys()].filter((file) => IS_TEST.test(file)).sort();
  if (changed.some((file) => EVERYTHING.test(file))) return tests;
  const referrers = referrersOf(files, [...new Set([...files.keys(), ...changed])]);
  const reached = new Set(changed);
  for (const file of reached) for (const referrer of referrers.get(file) ?? []) reached.add(referrer);
  return tests.filter((test) => reached.has(test));
}

/** Returns which files refer to each file. `all` are the files that a template or a folder can match. */
export function referrersOf(files: ReadonlyMap<string, string>, all: readonly string[]): Map<string, string[]> {
  const referrers = new Map<string, string[]>();
  for (const [file, text] of files)
    for (const reference of referencesOf(file, text, all))
      referrers.set(reference, [...(referrers.get(reference) ?? []), file]);
  return referrers;
}

/** Returns the files that a file's text names. A folder with its slash matches everything in and below it. */
function referencesOf(file: string, text: string, all: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const [, , path = ""] of text.replaceAll(COMMENT, "").matchAll(QUOTED)) {
    const target = /^\.\.?\//.test(path) ? posix.join(posix.dirname(file), path) : path;
    if (target.startsWith("..")) continue;
    if (target.endsWith("/")) for (const one of all.filter((other) => other.startsWith(target))) found.add(one);
    else if (target.includes("${")) for (const one of all.filter(matcherOf(target))) found.add(one);
    else found.add(target);
  }
  return found;
}

function matcherOf(template: string): (file: string) => boolean {
  const parts = template.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // A template that begins with a name, such as an address, could match any file.
  if (!parts[0]?.includes("/")) return () => false;
  const pattern = new RegExp(`^${parts.join("[^/]+")}$`);
  return (file) => pattern.test(file);
}

/** Returns the files that differ from a revision, committed or not, and the files that git does not track yet. */
export function changedSince(revision: string): string[] {
  const differing = git("diff", "--name-only", "--no-renames", revision, "--");
  return [...new Set([...differing, ...git("ls-files", "--others", "--exclude-standard")])].sort();
}

/** Lists every file of the repository, with the content of code files. */
export function readRepository(): Map<string, string> {
  const files = git("ls-files", "--cached", "--others", "--exclude-standard");
  return new Map(
    files
      .filter((file) => existsSync(file) && statSync(file).isFile())
      .map((file) => [file, IS_CODE.test(file) ? readFileSync(file, "utf8") : ""]),
  );
}

const git = (...args: string[]): string[] =>
  execFileSync("git", args, { encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");
