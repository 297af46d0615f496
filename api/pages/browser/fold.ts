/** Letters that have no accent to take away, and are typed without it all the same. */
const letters: Readonly<Record<string, string>> = { đ: "d", ł: "l", ø: "o", ß: "ss", æ: "ae", œ: "oe", ı: "i" };

/** A text as searches compare it: without regard to case and accents, so that "sunka" finds "Šunka". */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[đłøßæœı]/g, (letter) => letters[letter] ?? letter);

/** The words of a search, folded. */
export const wordsIn = (search: string): string[] => folded(search).split(/\s+/).filter(Boolean);
