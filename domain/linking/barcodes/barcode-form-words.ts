/** Matches a piece of a barcode pattern: a set of characters, and how many of them. */
export const BARCODE_PIECE = String.raw`(?:[\w :/-]|\\d|\\[^\w]|\[[\w :/-]+\])(?:\{\d{1,2}(?:,\d{1,2})?\})?`;

/** One piece of a barcode pattern: the characters that it accepts, and how many of them. */
interface Piece {
  characters: string;
  least: number;
  most: number;
}

/** Says what is wrong with a barcode that does not match a pattern. */
export type BarcodeFault = (barcode: string) => string;

/** Creates a function that says in words why a barcode does not match a pattern: its length, or its first wrong character. */
export function createFormFault(pattern: string): BarcodeFault {
  const pieces = piecesOf(pattern);
  if (pieces === undefined) return () => "it does not have the form of a label's barcode";
  const least = pieces.reduce((sum, piece) => sum + piece.least, 0);
  const most = pieces.reduce((sum, piece) => sum + piece.most, 0);
  return (barcode) => {
    const { length } = barcode;
    if (length < least || length > most)
      return `it has ${length} ${length === 1 ? "character" : "characters"}, but a barcode has ${least === most ? least : `${least} to ${most}`}`;
    return characterFault(barcode, pieces) ?? "it does not have the form of a label's barcode";
  };
}

/** Describes the first wrong character; undefined if counts vary, since it is then unclear which character is wrong. */
function characterFault(barcode: string, pieces: readonly Piece[]): string | undefined {
  let place = 0;
  for (const { characters, least, most } of pieces) {
    if (least !== most) return undefined;
    const isRight = new RegExp(`^${characters}$`);
    for (const end = place + least; place < end; place += 1) {
      const character = barcode[place] ?? "";
      if (!isRight.test(character))
        return `its character ${place + 1} must be ${inWords(characters)}, not ${JSON.stringify(character)}`;
    }
  }
  return undefined;
}

/** Returns the pieces of a pattern between `^` and `$`; undefined if tenants cannot have such a pattern. */
function piecesOf(pattern: string): Piece[] | undefined {
  const inner = /^\^(.*)\$$/s.exec(pattern)?.[1]?.replaceAll(/\(\?<[a-z]{1,16}>|(?<!\\)\)/g, "");
  if (inner === undefined) return undefined;
  const found = inner.match(new RegExp(BARCODE_PIECE, "g")) ?? [];
  return found.join("") === inner ? found.map(pieceOf) : undefined;
}

function pieceOf(text: string): Piece {
  const [, characters = text, least = "1", most = least] = /^(.*?)(?:\{(\d+)(?:,(\d+))?\})?$/s.exec(text) ?? [];
  return { characters, least: Number(least), most: Number(most) };
}

/** Describes a piece's characters in words: "a digit", "a letter A to Z", "one of A to F, 0 to 9". */
function inWords(characters: string): string {
  if (characters === "\\d" || characters === "[0-9]") return "a digit";
  if (!characters.startsWith("[")) return `"${characters.replace("\\", "")}"`;
  const parts = characters.slice(1, -1).match(/.-.|./gs) ?? [];
  const ranges = parts.map((part) => (part.length === 3 ? `${part[0]} to ${part[2]}` : `"${part}"`));
  if (ranges.length > 1) return `one of ${ranges.join(", ")}`;
  return characters === "[A-Z]" ? "a letter A to Z" : `${ranges[0]}`;
}
