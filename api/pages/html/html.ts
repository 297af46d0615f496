/**
 * Text that is already HTML. It is created by `html`, or directly for text that is part of the program or escaped, so
 * that no value in a record can be HTML.
 */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/**
 * What a template may contain: strings and numbers are escaped, lists are joined, and `false`, `null` and `undefined`
 * produce nothing.
 */
export type Part = Html | string | number | false | null | undefined | readonly Part[];

/** Creates HTML from a template; every value in it is escaped, in text and in quoted attributes. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.reduce((text, next, index) => `${text}${written(parts[index - 1])}${next}`));

function written(part: Part): string {
  if (part === undefined || part === null || part === false) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(written).join("");
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
