import type { Finding } from "./counts.ts";
import { text } from "./desk.ts";
import { make } from "./make.ts";
import type { Known } from "./shop.ts";

export interface CelField {
  element: HTMLElement;
  showFaults(findings: readonly Finding[]): void;
}

/** A field for an expression. */
export function celField(source: string, _known: readonly Known[], change: (source: string) => void): CelField {
  const area = make("textarea", { "aria-label": text("rules.celLabel"), rows: 3, spellcheck: "false", class: "cel" });
  area.value = source;
  area.addEventListener("input", () => change(area.value));
  return { element: area, showFaults: () => undefined };
}
