/** Letters that have no accent to remove, but are often typed without their mark. */
const letters: Readonly<Record<string, string>> = { đ: "d", ł: "l", ø: "o", ß: "ss", æ: "ae", œ: "oe", ı: "i" };

/** Returns text as searches compare it: without case and accents, so that "sunka" finds "Šunka". */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[đłøßæœı]/g, (letter) => letters[letter] ?? letter);

/** Returns the words of a search, folded. */
export const wordsIn = (search: string): string[] => folded(search).split(/\s+/).filter(Boolean);
