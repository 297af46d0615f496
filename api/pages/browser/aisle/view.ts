import { element } from "../call.ts";
import { type Texts, textsIn } from "../texts.ts";
import type { Entry, Outcome } from "./outbox.ts";
import type { Steps } from "./steps.ts";

const page = element("#aisle");
const texts = textsIn(page);
const marks = JSON.parse(page.dataset.marks ?? "{}") as Record<string, string>;

/** Returns a message of the page, with its values. `key` is the end of the message's key or, for a cause, the whole key. */
export const text: Texts = (key, values) => texts(key.startsWith("cause.") ? key : `aisle.${key}`, values);

/** Shows the result of a scan, until the next one. */
export function say(said: string): void {
  const place = element("#said");
  place.textContent = said;
  place.hidden = said === "";
}
export const hideSaid = (): void => say("");

/** Shows what to scan next, and for which task. */
export function showAsked({ mode, label, product, position = 0 }: Steps, asked: string): void {
  element("#asked").textContent = text(`ask.${asked}`);
  const chosen = label ?? product;
  element("#chosen").textContent =
    chosen === undefined ? "" : text(label !== undefined ? "chosen.label" : "chosen.product", { code: chosen });
  element("#restart").hidden = chosen === undefined;
  element("#unlink").hidden = asked !== "confirm";
  if (asked !== "product") element("#positions").hidden = true;
  for (const button of document.querySelectorAll<HTMLElement>("[data-position]"))
    button.setAttribute("aria-pressed", String(Number(button.dataset.position) === position));
  for (const button of document.querySelectorAll<HTMLElement>("[data-mode]"))
    button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
}

/** Offers the positions of a label with several products; nothing if it has only one. */
export function offerPositions(count: number, chosen: number): void {
  const buttons = Array.from({ length: count }, (_, position) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.position = String(position);
    button.setAttribute("aria-pressed", String(position === chosen));
    button.textContent = text("position", { count: position + 1 });
    return button;
  });
  element("#positions").replaceChildren(...buttons);
  element("#positions").hidden = count < 2;
}

interface Card {
  label: string;
  /** The product's name, or its code before the name is known. */
  name: string;
  /** What the label shows, and what is being sent to it. */
  picture?: string;
  next?: string;
  state: "OK" | "PENDING" | "ERROR" | "NEW" | "UNKNOWN";
  said: string;
  /** Whether its picture is being made. */
  isDrawn?: boolean;
  /** Whether its picture can be sent again or the label be replaced from here. */
  canMend?: boolean;
}

/** Shows a label: its picture, the picture that is being sent if it is different, and whether something is wrong. */
export function showCard({ label, name, picture, next, isDrawn, state, said, canMend }: Card): void {
  element("#card").hidden = false;
  element("#empty").hidden = true;
  showPicture("#picture", picture, `${name}, ${text("now")}`);
  showPicture("#next", next, `${name}, ${text("next")}`);
  // Space for a picture is reserved only if one will come.
  element(".mat").hidden = picture === undefined && (!isDrawn || next !== undefined);
  element("#coming").hidden = next === undefined;
  element("#now").hidden = picture === undefined || next === undefined;
  put("#card-name", name);
  put("#card-code", text("chosen.label", { code: label }));
  const place = element("#card-state");
  if (place.textContent !== said) mark(place, state, said);
  if (canMend !== undefined) element("#mend").hidden = !canMend;
}

function showPicture(selector: string, address: string | undefined, alt: string): void {
  const image = element<HTMLImageElement>(selector);
  image.hidden = address === undefined;
  if (address === undefined || image.getAttribute("src") === address) return;
  image.src = address;
  image.alt = alt;
}

export function hideCard(): void {
  element("#card").hidden = true;
  element("#empty").hidden = false;
  element("#mend").hidden = true;
}

/** Shows what is waiting to be sent, what was sent last, and why sending has stopped. */
export function showOutbox(entries: readonly Entry[], stop: Outcome | undefined, dismiss: (id: string) => void): void {
  const waiting = entries.filter(({ state }) => state === "waiting").length;
  const isLoggedOut = stop?.is === "again" && stop.isLoggedOut === true;
  element("#offline").hidden = navigator.onLine && stop === undefined;
  element("#logged-out").hidden = !isLoggedOut;
  if (isLoggedOut) element("#offline").hidden = true;
  element("#outbox").hidden = entries.length === 0;
  const isRefused = entries.some(({ state }) => state === "failed");
  put("#waiting", waiting > 0 ? text("waiting", { count: waiting }) : text(isRefused ? "notDone" : "sent"));
  // Rebuilt only if it changed, so that a focused button keeps the focus.
  const drawn = JSON.stringify(entries);
  if (drawn !== entriesDrawn)
    element("#entries").replaceChildren(...[...entries].reverse().map((entry) => entryOf(entry, dismiss)));
  entriesDrawn = drawn;
}
let entriesDrawn = "";

const states = { waiting: "PENDING", done: "OK", failed: "ERROR" } as const;

function entryOf({ id, act, state, reason }: Entry, dismiss: (id: string) => void): HTMLLIElement {
  const place = document.createElement("li");
  place.dataset.entry = state;
  const what = document.createElement("p");
  mark(what, states[state], textOf(act));
  what.className = "state";
  place.append(what);
  if (state === "done") return place;
  if (state === "failed") {
    const why = document.createElement("p");
    why.textContent = text(`failed.${reason}`);
    place.append(why);
  }
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text(state === "failed" ? "dismiss" : "discard");
  button.addEventListener("click", () => dismiss(id));
  place.append(button);
  return place;
}

/** Describes a change in words. */
export const textOf = (act: Entry["act"]): string =>
  act.do === "link" && act.position
    ? text("entry.linkAt", { ...act, count: act.position + 1 })
    : text(`entry.${act.do}`, { ...act });

/** Shows a state as words with its mark, which the server provides. */
function mark(place: HTMLElement, state: string, said: string): void {
  place.dataset.state = state;
  place.innerHTML = marks[state] ?? "";
  place.append(said);
}

/** Writes text only if it has changed, so that a screen reader reads it once. */
function put(selector: string, said: string): void {
  const place = element(selector);
  if (place.textContent !== said) place.textContent = said;
}
