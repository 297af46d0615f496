import { element } from "../call.ts";
import type { Texts } from "../texts.ts";

const ROWS_LISTED = 200;

/** Fills the lists of an import; entries beyond the maximum are only counted. */
export const listing =
  (text: Texts) =>
  <T>(selector: string, rows: readonly T[], contentOf: (row: T) => string | Node, total = rows.length): void => {
    const section = element(selector);
    const shown = rows.slice(0, ROWS_LISTED);
    const lines = shown.map((row) => {
      const line = document.createElement("li");
      line.append(contentOf(row));
      return line;
    });
    section.querySelector("ul")?.replaceChildren(...lines);
    const rest = section.querySelector(".rest");
    if (rest) rest.textContent = total > shown.length ? text("import.more", { count: total - shown.length }) : "";
    section.hidden = rows.length === 0;
  };

/** Creates a link as the content of a line. */
export function linkTo(address: string, said: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = said;
  return link;
}
