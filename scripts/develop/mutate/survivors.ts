import { readFileSync } from "node:fs";
import type { Mutant } from "./instrument.ts";

/** A mutant that no test kills, with the reason why none has to. It is found by its code, wherever its line moves. */
export interface Survivor {
  file: string;
  /** The line on which it begins, without its indent. */
  code: string;
  original: string;
  replacement: string;
  reason: string;
}

const SURVIVORS = new URL("./survivors.jsonl", import.meta.url);

export const readSurvivors = (): Survivor[] =>
  readFileSync(SURVIVORS, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Survivor);

/** What makes a mutant and its entry in the list the same. */
export const identityOf = ({ file, code, original, replacement }: Omit<Survivor, "reason">): string =>
  JSON.stringify([file, code, original, replacement]);

/** What is wrong with the list: entries whose mutant is gone, and those without a reason. */
export function faultsOf(list: readonly Survivor[], mutants: readonly Mutant[]): string[] {
  const existing = new Set(mutants.map(identityOf));
  return list.flatMap((entry) => {
    const text = `${entry.file}: ${entry.original} -> ${entry.replacement}`;
    if (!existing.has(identityOf(entry))) return [`${text}: the code has no such mutant any more; remove the entry`];
    return entry.reason.trim() === "" ? [`${text}: give the reason why no test has to kill it`] : [];
  });
}
