import type { Strip } from "./pixels.ts";

/** A mark below a letter: its strips by height and stroke, and the free rows above it. */
export interface MarkBelow {
  low: Readonly<Record<"thin" | "thick", Strip>>;
  high: Readonly<Record<"thin" | "thick", Strip>>;
  /** Free rows between the letter and the tall strip. The low strip touches the letter, except for the dot. */
  gap: number;
  /** The mark's place: in the middle of the letter, or at its right end. */
  at: "middle" | "right";
}

const comma: MarkBelow = {
  low: { thin: ".#/#.", thick: ".##/##." },
  high: { thin: ".#/#.", thick: "##/.#/#." },
  gap: 1,
  at: "middle",
};
const cedilla: MarkBelow = {
  low: { thin: "#./.#", thick: "##./.##" },
  high: { thin: ".#./..#/##.", thick: ".##./..##/###." },
  gap: 0,
  at: "middle",
};

/** Marks below a letter, by their combining characters. */
const marksBelow: ReadonlyMap<string, MarkBelow> = new Map([
  ["\u0323", { low: { thin: "##", thick: "##" }, high: { thin: "##", thick: "##/##" }, gap: 1, at: "middle" }],
  ["\u0326", comma],
  ["\u0327", cedilla],
  [
    "\u0328",
    { low: { thin: "#./.#", thick: "##./.##" }, high: { thin: ".#/#./.#", thick: ".##/##./.##" }, gap: 0, at: "right" },
  ],
]);

/** Letters whose cedilla is written as a comma, as in Latvian. */
const COMMAS = /^[GKLNRklnr]$/;

export const markBelow = (base: string, mark: string): MarkBelow | undefined =>
  mark === "\u0327" && COMMAS.test(base) ? comma : marksBelow.get(mark);
