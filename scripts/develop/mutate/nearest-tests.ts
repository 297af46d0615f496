import { posix } from "node:path";
import type { referrersOf } from "../test/changed-tests.ts";

type Referrers = ReturnType<typeof referrersOf>;

const IS_TEST = /^test\/.*\.test\.ts$/;
/** The parts of the harness that open no server, process or thread. */
const PURE_HARNESS = /^test\/harness\/(eventually|searches\/turns|databases\/wrapped-db)\.ts$/;
const IMPURE = /"node:(child_process|worker_threads|cluster)"|\btest(\.serial)?\.(before|beforeEach|after|afterEach)\b/;

/**
 * Returns the tests that reach a file, the nearest first: tests that are named after it, then the others by the number of
 * references between test and file. Each folder that the two share reduces this number by two.
 */
export function nearestTests(file: string, referrers: Referrers): string[] {
  const distances = distancesTo(file, referrers);
  const mirror = `test/${file.replace(/\.ts$/, "")}`;
  const rank = (test: string) => [
    test === `${mirror}.test.ts` ? 0 : test.startsWith(`${mirror}-`) ? 1 : 2,
    (distances.get(test) ?? 0) - 2 * sharedFolders(test, mirror),
  ];
  const tests = [...distances.keys()].filter((one) => IS_TEST.test(one)).sort();
  return tests
    .map((test) => ({ test, rank: rank(test) }))
    .sort((a, b) => compare(a.rank, b.rank))
    .map(({ test }) => test);
}

/** Whether a test belongs to a file's folder: it is in the mirrored folder, or below it in a folder that the product lacks. */
export function isOfFolder(test: string, file: string, files: ReadonlyMap<string, string>): boolean {
  const mirror = `test/${posix.dirname(file)}`;
  const folder = posix.dirname(test);
  if (folder === mirror) return true;
  const mirrored = `${folder.slice("test/".length)}/`;
  return folder.startsWith(`${mirror}/`) && ![...files.keys()].some((one) => one.startsWith(mirrored));
}

/** Whether a test file consists only of code, so that it can be run often in one process. */
export function isPure(test: string, files: ReadonlyMap<string, string>): boolean {
  const text = files.get(test) ?? "";
  const harness = [...text.matchAll(/"([./]*harness\/[^"]+)"/g)].map(([, path = ""]) =>
    posix.join(posix.dirname(test), path),
  );
  return !IMPURE.test(text) && harness.every((path) => PURE_HARNESS.test(path));
}

/** Returns the number of references between a file and each file that reaches it. */
function distancesTo(file: string, referrers: Referrers): Map<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [one, distance] of distances)
    for (const referrer of referrers.get(one) ?? [])
      if (!distances.has(referrer)) distances.set(referrer, distance + 1);
  return distances;
}

function sharedFolders(one: string, other: string): number {
  const folders = posix.dirname(other).split("/");
  const index = posix
    .dirname(one)
    .split("/")
    .findIndex((folder, depth) => folder !== folders[depth]);
  return index < 0 ? folders.length : index;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
