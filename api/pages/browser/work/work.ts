import { call, element, enableButtons } from "../call.ts";
import { offerActs } from "../shelf/acts.ts";
import { textsIn } from "../texts.ts";

const page = element("#work");
const { base = "", cause = "" } = page.dataset;
const text = textsIn(page);
const boxes = (): HTMLInputElement[] => [...page.querySelectorAll<HTMLInputElement>("input[name=label]")];
const selected = (): string[] => boxes().flatMap(({ checked, value }) => (checked ? [value] : []));
const all = document.querySelector<HTMLInputElement>("#all");

function say(words: string): void {
  const said = element("#said");
  said.textContent = words;
  said.focus();
}

function showSelection(): void {
  const count = selected().length;
  element("#selection").hidden = count === 0;
  element("#selected").textContent = text("shelf.selected", { count });
  if (all) all.checked = count === boxes().length;
}

/** Marks the selected labels as assigned to somebody, or as done. */
async function markSelected(state: string): Promise<void> {
  const assignee = String(new FormData(element<HTMLFormElement>("#assign")).get("assignee") ?? "").trim();
  if (state === "ASSIGNED" && assignee === "") return say(text("work.nobody"));
  const barcodes = selected();
  const order = { cause, barcodes, state, ...(state === "ASSIGNED" && { assignee }) };
  const answer = await call("POST", `${base}/work/marks`, order).catch(() => Response.error());
  // The page shows what the interface has stored, not what was sent.
  if (answer.ok) return location.reload();
  say(text("form.failed"));
}

if (all !== null) {
  all.addEventListener("change", () => {
    for (const box of boxes()) box.checked = all.checked;
    showSelection();
  });
  page.addEventListener("change", showSelection);
  element("#assign").addEventListener("submit", (event) => event.preventDefault());
  element("#assign").addEventListener("click", ({ target }) => {
    const state = (target as HTMLElement).closest<HTMLElement>("[data-mark]")?.dataset.mark;
    if (state !== undefined) void markSelected(state);
  });
  offerActs({
    base,
    selected,
    counted: (key, count) => text(key, { count }),
    isHeard: () => cause !== "NOT_ANSWERING",
    say,
    offerRest(rest) {
      for (const box of boxes()) box.checked = rest.includes(box.value);
      showSelection();
    },
  });
  showSelection();
}
document.querySelector("#print")?.addEventListener("click", () => window.print());

enableButtons();
