import { openFont } from "../shaping/shaping-font.ts";
import type { OwnSource } from "./sources.ts";

/** The weight from which a font counts as bold (OpenType, `usWeightClass`): semi-bold. */
const BOLD_FROM = 600;
const WEIGHT_AT = 4;
/** The top of lowercase letters is put between two rows, so that most of a line is sharp. */
const TOP_LETTER = "x";

/** Opens a tenant's font. `name` identifies its file. */
export function openOwnSource(name: string, file: Uint8Array): OwnSource {
  const traits = { isJoined: false, keepsShape: true, tag: "Latn" };
  const opened = openFont(file, { name, traits, isBold: false, topLetter: TOP_LETTER });
  const { face } = opened.font;
  const weights = face.referenceTable("OS/2");
  const weight = weights && weights.length > WEIGHT_AT + 1 ? Buffer.from(weights).readUInt16BE(WEIGHT_AT) : 0;
  return { font: { ...opened, isBold: weight >= BOLD_FROM }, has: new Set(face.collectUnicodes()) };
}
