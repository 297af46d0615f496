import { element, enableButtons } from "../call.ts";
import { type ShownCause, stateOfCause } from "../state-of-cause.ts";
import { toggleCamera } from "./camera-button.ts";
import { follow, lookAt, type Seen } from "./follow.ts";
import { kindOf } from "./kind-of-code.ts";
import { listenToKeys } from "./listen-to-keys.ts";
import { type Entry, type Outcome, openOutbox } from "./outbox.ts";
import { toldFlash } from "./outcome.ts";
import { createSeenCodes } from "./seen-codes.ts";
import { perform, tryCall } from "./send.ts";
import { storeShell } from "./shell.ts";
import { type Act, askedOf, type Mode, type Now, type Steps, take } from "./steps.ts";
import { hideCard, hideSaid, offerPositions, say, showAsked, showCard, showOutbox, text, textOf } from "./view.ts";

const RETRY_INTERVAL_MS = 3_000;
const FLASH_SECONDS = 15;

const { base = "", who = "", reads } = element("#aisle").dataset;
const labelAt = (barcode: string) => `${base}/labels/${encodeURIComponent(barcode)}`;
let steps: Steps = { mode: "link" };
/** Counts the shown cards, so that work started for an earlier card no longer shows anything. */
let shown = 0;

const outbox = openOutbox({
  storage: localStorage,
  name: `${base}/${who}`,
  perform: (entry, keep) => perform(base, entry, keep),
  onChange: (changed, stop) => {
    drawOutbox(stop);
    if (changed !== undefined) void showEntry(changed);
    else if (stop !== undefined) showKept();
  },
  now: Date.now,
});
const drawOutbox = (stop?: Outcome) => showOutbox(outbox.list(), stop, (id) => outbox.dismiss(id));
const send = () => void outbox.send();

/** The text on a card about a change before its label is read. */
const cardOf = ({ act }: Entry) => ({
  label: act.do === "replace" ? act.by : act.label,
  name: act.do === "link" ? act.product : "",
});
/** The change on the card, from its scan onwards. */
let current: { entry: Entry; view: number } | undefined;

function showKept(): void {
  if (current?.entry.state === "waiting" && current.view === shown)
    showCard({ ...cardOf(current.entry), state: "PENDING", said: text("state.kept") });
}

/**
 * Shows the progress of a change: stored, sent, its picture in transmission, on the glass. A change that ends while something
 * else is shown does not replace it; only a failure is reported.
 */
async function showEntry(entry: Entry): Promise<void> {
  const { state, act, id } = entry;
  const card = cardOf(entry);
  const isNew = state === "waiting";
  const isCurrent = isNew || (current?.entry.id === id && current.view === shown);
  if (state === "failed") {
    navigator.vibrate?.([90, 60, 90]);
    if (isCurrent) hideCard();
    const reason = text(`failed.${entry.reason}`);
    return say(isCurrent ? reason : `${textOf(act)}: ${reason}`);
  }
  if (!isCurrent) return;
  const view = isNew ? ++shown : shown;
  current = { entry, view };
  if (isNew) return showCard({ ...card, state: "PENDING", said: text("state.sending") });
  showCard({ ...card, state: "OK", said: text("state.sent") });
  if (reads === "true") await followOn(card.label, view);
}

async function followOn(label: string, view: number): Promise<void> {
  await follow(
    labelAt(label),
    (seen) => {
      const { cause, name = "", isLinked } = seen;
      const state = cardState(cause);
      showCard(
        isLinked
          ? {
              label,
              name,
              ...picturesOf(label, seen),
              isDrawn: state === "PENDING",
              state,
              said: text(`cause.${cause}`),
            }
          : { label, name: "", state: "NEW", said: text("state.free") },
      );
    },
    () => view !== shown,
  );
}

/** A label that has no picture yet shows none. */
const picturesOf = (label: string, { shown, next, isLinked }: Seen) => ({
  ...(shown && isLinked && { picture: `${labelAt(label)}/image?of=shown&v=${shown}` }),
  ...(next && isLinked && { next: `${labelAt(label)}/image?of=next&v=${next}` }),
});

function cardState(cause: ShownCause) {
  const state = stateOfCause[cause];
  return state === "OFFLINE" ? "ERROR" : state;
}

/** Processes a code; returns whether it had an effect. */
async function takeCode(code: string, isSeen: boolean): Promise<boolean> {
  const { kind, positions } = await kindOf(base, code);
  const taken = take(steps, { code, kind, isSeen });
  if (taken.refused !== undefined) {
    say(text(`refused.${taken.refused}`, { code }));
    return false;
  }
  navigator.vibrate?.(40);
  hideSaid();
  setSteps(taken.steps);
  if (taken.act !== undefined) act(taken.act);
  else if (taken.now !== undefined) await doNow(taken.now);
  else if (steps.label !== undefined) void showScanned(steps.label, positions);
  return true;
}

function act(order: Act): void {
  outbox.add(order);
  send();
}

/** Shows a scanned label's current picture before anything is changed, and asks which of several products is meant. */
async function showScanned(label: string, positions = 1): Promise<void> {
  const view = ++shown;
  hideCard();
  const seen = reads === "true" ? await lookAt(labelAt(label)) : undefined;
  if (view !== shown) return;
  if (steps.mode === "link") offerPositions(seen?.positions ?? positions, steps.position ?? 0);
  if (seen === undefined) return;
  const { cause, name = "" } = seen;
  const said = text(`cause.${cause}`);
  showCard({
    ...{ label, name, ...picturesOf(label, seen), state: cardState(cause), said },
    canMend: steps.mode === "check",
  });
}

async function doNow(now: Now): Promise<void> {
  if (now.do === "check") {
    setSteps({ mode: "check", label: now.label });
    return showChecked(now.label);
  }
  hideCard();
  const place = now.do === "flashLabel" ? labelAt(now.code) : `${base}/items/${encodeURIComponent(now.code)}`;
  const answer = await tryCall("POST", `${place}/flash`, { duration: FLASH_SECONDS });
  if (answer?.status === 404) return say(text("find.unknown", { code: now.code }));
  if (!answer?.ok) return say(text(answer?.status === 403 ? "failed.right" : "needsNetwork"));
  const { result, results = [{ result }] } = (await answer.json()) as {
    result?: string;
    results?: { result?: string }[];
  };
  say(
    toldFlash(results.map((one) => one.result))
      .map(({ key, count }) => text(`find.${key}`, { count }))
      .join(", "),
  );
}

async function showChecked(label: string): Promise<void> {
  await showScanned(label);
  if (element("#card").hidden) say(text("check.unknown", { code: label }));
}

function setSteps(next: Steps): void {
  steps = next;
  showAsked(steps, askedOf(steps));
}

function choose(mode: Mode, label?: string): void {
  shown += 1;
  hideCard();
  hideSaid();
  setSteps({ mode, ...(label !== undefined && { label }) });
}

let lastScan: Promise<unknown> = Promise.resolve();
const scan = (code: string) => {
  // A code that cannot be processed does not block later ones.
  if (code.trim() !== "")
    lastScan = lastScan.then(() => takeCode(code.trim(), false)).catch(() => say(text("notTaken")));
};

let isTaking = false;
const newCodesOf = createSeenCodes();
/** Processes the codes in one picture. A picture of a label also shows the codes on its display, which are ignored. */
async function scanSeen(codes: readonly string[]): Promise<void> {
  const fresh = newCodesOf(codes, performance.now(), isTaking);
  if (isTaking || (steps.label !== undefined && codes.includes(steps.label))) return;
  isTaking = true;
  try {
    for (const code of fresh) if (await takeCode(code, true)) break;
  } catch {
    say(text("notTaken"));
  }
  isTaking = false;
}

const acts: Record<string, () => Promise<void> | void> = {
  restart: () => choose(steps.mode),
  unlink: () => {
    const { label } = steps;
    if (label === undefined) return;
    choose("unlink");
    act({ do: "unlink", label });
  },
  refresh: async () => {
    const { label = "" } = steps;
    const answer = await tryCall("POST", `${labelAt(label)}/refresh`);
    say(text(answer?.ok ? "check.refreshed" : "needsNetwork"));
    if (answer?.ok && reads === "true") await followOn(label, ++shown);
  },
  replace: () => choose("replace", steps.label),
};

listenToKeys(scan);
element<HTMLFormElement>("#code-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = element<HTMLInputElement>("[name=code]");
  scan(field.value);
  field.value = "";
});
element("#aisle").addEventListener("click", ({ target }) => {
  const { mode, act: name, position } = (target as HTMLElement).closest<HTMLElement>("button")?.dataset ?? {};
  if (position !== undefined) setSteps({ ...steps, position: Number(position) });
  if (mode !== undefined) choose(mode as Mode);
  if (name !== undefined) void acts[name]?.();
});
element("#camera").addEventListener("click", () => void toggleCamera((codes) => void scanSeen(codes)));
addEventListener("online", () => {
  drawOutbox();
  send();
});
addEventListener("offline", () => drawOutbox());
setInterval(send, RETRY_INTERVAL_MS);
setSteps(steps);
drawOutbox();
send();
// Without a stored shell, the page works only while there is a network.
storeShell().catch(() => undefined);

enableButtons();
