import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Mutant } from "./instrument.ts";
import type { Tried } from "./try-mutants.ts";

const identityOf = ({ file, code, original, replacement }: Mutant): string =>
  JSON.stringify([file, code, original, replacement]);

/**
 * Returns a name for a mutant that stays the same from one run to the next, even if its line moves: its code, and its number
 * among mutants with equal code.
 */
export function keysOf(mutants: readonly Mutant[]): (mutant: Mutant) => string {
  const counts = new Map<string, number>();
  const keys = new Map<string, string>();
  for (const mutant of mutants) {
    const identity = identityOf(mutant);
    const count = counts.get(identity) ?? 0;
    counts.set(identity, count + 1);
    keys.set(mutant.id, `${identity}#${count}`);
  }
  return ({ id }) => keys.get(id) ?? "";
}

/** Reads which test killed each mutant, by its key, from the file of an earlier run. */
export function readKilled(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const results = lines.map((line) => JSON.parse(line) as { key: string; verdict: Tried["verdict"]; by?: string });
  return new Map(
    results.flatMap(({ key, verdict, by }) => (verdict === "killed" || verdict === "late" ? [[key, by ?? ""]] : [])),
  );
}

export const appendResult = (file: string, key: string, { mutant: { line }, verdict, by }: Tried): void =>
  appendFileSync(file, `${JSON.stringify({ key, line, verdict, by })}\n`);
