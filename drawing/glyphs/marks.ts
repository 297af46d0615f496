import { flipped, mirrored, type Strip } from "./pixels.ts";

/** How a mark is drawn: with strokes of one or two pixels, and low if there is little space above the letter. */
export type Style = "thin-low" | "thin-high" | "thick-low" | "thick-high";

/** The strips of a mark: separate ones for letters of even and odd width, if they differ. */
type Drawn = Readonly<Record<Style, Strip | readonly [even: Strip, odd: Strip]>>;

const drawn = (
  thinLow: Drawn[Style],
  thinHigh: Drawn[Style],
  thickLow: Drawn[Style],
  thickHigh: Drawn[Style],
): Drawn => ({
  "thin-low": thinLow,
  "thin-high": thinHigh,
  "thick-low": thickLow,
  "thick-high": thickHigh,
});

const changed = (mark: Record<Style, Strip>, change: (strip: Strip) => Strip): Drawn =>
  drawn(change(mark["thin-low"]), change(mark["thin-high"]), change(mark["thick-low"]), change(mark["thick-high"]));

const acute = {
  "thin-low": "..#/##.",
  "thin-high": "..#/.#./#..",
  "thick-low": "..##/##..",
  "thick-high": "..##/.##./##..",
};
const circumflex = {
  "thin-low": ".#./#.#",
  "thin-high": "..#../.#.#./#...#",
  "thick-low": "..##../##..##",
  "thick-high": "..##../.####./##..##",
};

/** Marks above a letter, by their combining characters. */
export const marksAbove: ReadonlyMap<string, Drawn> = new Map([
  ["\u0301", acute],
  ["\u0300", changed(acute, mirrored)],
  ["\u0302", circumflex],
  ["\u030c", changed(circumflex, flipped)],
  ["\u0303", drawn(".#..#/#.##.", ".##..#/#..##.", ".###.##/##.###.", ".###..##/##..###.")],
  ["\u0304", drawn(["####", "#####"], ["####", "#####"], ["######", "#####"], ["######/######", "#####/#####"])],
  ["\u0306", drawn("#...#/.###.", "#...#/#...#/.###.", "##..##/.####.", "##..##/##..##/.####.")],
  ["\u0307", drawn(["##/##", "#/#"], ["##/##", "#/#"], "##/##", "##/##")],
  [
    "\u0308",
    drawn(
      ["#..#/....", "#.#/..."],
      ["#..#/#..#", "#.#/#.#"],
      ["##..##/##..##", "##.##/##.##"],
      ["##..##/##..##", "##.##/##.##"],
    ),
  ],
  ["\u0309", drawn("##/.#/#.", "##./..#/.#.", "###/.##/##.", "###./..##/.##.")],
  ["\u030a", drawn(".#./#.#/.#.", ".#./#.#/.#.", ".##./#..#/.##.", ".##./#..#/#..#/.##.")],
  // The cedilla of ģ is a turned comma above the letter.
  ["\u0312", drawn(".#/#.", ".#/#./##", ".##/##.", ".##/##./###")],
  ["\u030b", drawn(".#.#/#.#.", "..#.#/.#.#./#.#..", ".##.##/##.##.", "..##.##/.##.##./##.##..")],
  // Two marks together, as in Greek and Vietnamese.
  ["\u0308\u0301", drawn("..#../#.#.#", "...#./#.#.#/#...#", "...##.../##.##.##", "....##../...##.../##....##")],
  [
    "\u0302\u0301",
    drawn(
      "....#/.#.#./#.#..",
      "......#/..#..#./.#.#.../#...#..",
      "......##/..##.##./##..##..",
      "......##/..##.##./.####.../##..##..",
    ),
  ],
  [
    "\u0302\u0300",
    drawn(
      "#..../.#.#./..#.#",
      "#....../.#..#../...#.#./..#...#",
      "##....../.##.##../..##..##",
      "##....../.##.##../...####./..##..##",
    ),
  ],
  [
    "\u0302\u0309",
    drawn(
      "...##/.#..#/#.##.",
      ".....##/..#...#/.#.#.#./#...#..",
      ".....###/..##..##/##..###.",
      ".....###/..##..##/.####.##/##..##..",
    ),
  ],
  [
    "\u0302\u0303",
    drawn(
      ".#..#/#.##./..#../.#.#.",
      ".##..#/#..##./..##../.#..#.",
      ".##..##/##..##./......./..##.../##..##.",
      ".##..##/##..##./......./..##.../##..##.",
    ),
  ],
  [
    "\u0306\u0301",
    drawn(
      "...#/.##./#..#/.##.",
      "....#/...#./#...#/#...#/.###.",
      "...##/..##./##..##/.####.",
      "...##./..##../##..##/.####.",
    ),
  ],
  [
    "\u0306\u0300",
    drawn(
      "#.../.##./#..#/.##.",
      "#..../.#.../#...#/#...#/.###.",
      "##..../.##.../##..##/.####.",
      ".##.../..##../##..##/.####.",
    ),
  ],
  [
    "\u0306\u0309",
    drawn(
      "##./..#/#..#/.##.",
      ".##../...#./#.#.#/#...#/.###.",
      ".###../...##./##..##/.####.",
      ".###../...##./##..##/.####.",
    ),
  ],
  [
    "\u0306\u0303",
    drawn(
      ".#..#/#.##./#...#/.###.",
      ".##..#/#..##./#....#/.####.",
      ".##..##/##..##./......./##..##./.####..",
      ".##..##/##..##./......./##..##./.####..",
    ),
  ],
]);
