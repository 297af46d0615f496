import { element } from "../call.ts";
import { isConfirmed } from "../confirm.ts";
import type { PriceChange } from "./check-rows.ts";
import { changeText, text } from "./import-view.ts";
import { wallTimeOf } from "./item-time.ts";

/** With at least this many large changes, a person confirms by typing their number, which nobody does by mistake. */
const TYPED_FROM = 20;
const MAX_NAME = 40;

/** Requests confirmation of large price changes; if there are many, the person must type their number. */
export async function areMeant(large: readonly PriceChange[]): Promise<boolean> {
  const [first] = large;
  if (first === undefined) return true;
  element("#large-text").textContent = text("import.large", { count: large.length, change: changeText(first) });
  const [typed, yes] = [element<HTMLInputElement>("#typed"), element<HTMLButtonElement>("#large button[value=yes]")];
  const mustType = large.length >= TYPED_FROM;
  element("#typing").hidden = !mustType;
  element("#typing span").textContent = text("import.typed", { count: large.length });
  typed.value = "";
  const isTyped = () => typed.value.replace(/\D/g, "") === String(large.length);
  yes.disabled = mustType;
  typed.oninput = () => {
    yes.disabled = mustType && !isTyped();
  };
  return (await isConfirmed(element("#large"))) && (!mustType || isTyped());
}

/** Returns when the list's changes take effect, in the interface's format; undefined for immediately. */
export const startOfList = (): string | undefined => wallTimeOf(element<HTMLInputElement>("#start").value);

/** Returns an id for the price list of an import: the name of its file, and the time. */
export function newListId(file: string, now: Date): string {
  const name = file
    .replace(/\.\w+$/, "")
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MAX_NAME)
    .replace(/-$/, "");
  const time = now.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  return `${name || "list"}-${time}`;
}

/** Ends the report of an import with a link to its price list, where it can be undone. */
export function linkToList(said: HTMLElement, list: string): void {
  const { lists = "" } = element("#import").dataset;
  const link = document.createElement("a");
  const [path = "", query] = lists.split("?");
  link.href = `${path}/${list}${query ? `?${query}` : ""}`;
  link.textContent = text("import.list");
  said.append(" ", link);
}
