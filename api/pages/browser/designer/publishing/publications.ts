import { call, element } from "../../call.ts";
import { personText } from "../../person-text.ts";
import { readJson } from "../../read-all.ts";
import { button, make } from "../make.ts";
import { type Canary, stoppedText } from "./counts.ts";
import { momentText, type PublishingPage, refusalOf } from "./page.ts";

/** A publication, as the interface returns it. */
export interface Publication {
  publicationId: string;
  state: string;
  author: string;
  note: string | null;
  createdAt: string;
  at: string | null;
  changes: readonly { subject: string; id: string }[];
  activates: string | null;
  canary: (Canary & { stores: readonly string[] }) | null;
  reason: string | null;
  rolledBackBy: string | null;
}

interface Progress {
  labels: number;
  drawn: number;
  acknowledged: number;
}

export interface Publications {
  /** Lists the last publications, and reports the outcome of the last call. */
  show(said?: string): Promise<void>;
  /** Rolls a publication back; returns whether that succeeded. */
  takeBack(publicationId: string): Promise<boolean>;
}

/** Maximum number of publications shown; older ones are history. */
const MAX_SHOWN = 8;
const MAX_READ = 100;
const POLL_INTERVAL_MS = 2_000;
/** The interval once all labels are drawn; some labels may be out of reach for days. */
const CALM_INTERVAL_MS = 10_000;

const markStates: Readonly<Record<string, string>> = {
  DONE: "OK",
  SCHEDULED: "PENDING",
  PUBLISHING: "PENDING",
  CANARY: "PENDING",
  STOPPED: "ERROR",
  REFUSED: "ERROR",
};
const moving = ["SCHEDULED", "PUBLISHING", "CANARY"];

/**
 * Shows the last publications, each with its progress and a button that rolls it back. `changedLive` is called when one
 * of them has made other content live, with a message about it.
 */
export function openPublications(page: PublishingPage, changedLive: (said: string) => void): Publications {
  const { manage, text, mayWrite } = page;
  const address = `${manage}/publications`;
  const pathOf = (id: string) => `${address}/${encodeURIComponent(id)}`;
  let poll: number | undefined;
  let listed = "";

  async function show(said?: string): Promise<void> {
    window.clearTimeout(poll);
    const all = await readJson<Publication[]>(`${address}?limit=${MAX_READ}`).catch(() => undefined);
    if (said !== undefined) element("#publication-outcome").textContent = said;
    if (all === undefined) {
      // The list keeps its last known state.
      poll = window.setTimeout(() => void show(), CALM_INTERVAL_MS);
      return;
    }
    const own = all.filter(isOwn).slice(0, MAX_SHOWN);
    const states = JSON.stringify(own.map(({ publicationId, state }) => [publicationId, state]));
    // An unchanged list is not redrawn, so that it keeps the focus.
    if (states !== listed) {
      element("#publications").hidden = own.length === 0;
      element("#publication-list").replaceChildren(...own.map(row));
      listed = states;
    }
    const newest = own.findIndex(({ state }) => state === "DONE");
    const watched = own.filter(({ state }, index) => moving.includes(state) || index === newest);
    const pauses = (await Promise.all(watched.map(showProgress))).filter((pause) => pause !== undefined);
    window.clearTimeout(poll);
    if (pauses.length > 0) poll = window.setTimeout(() => void show(), Math.min(...pauses));
  }

  const isOwn = ({ changes, activates }: Publication) =>
    (page.subject === "communication-packs" && activates === page.id) ||
    changes.some(({ subject, id }) => id === page.id && subject === page.subject);

  /** Shows how many labels show their new picture; returns the milliseconds until the next poll, if any. */
  async function showProgress({ publicationId, state }: Publication): Promise<number | undefined> {
    const found = await readJson<{ progress: Progress | null }>(pathOf(publicationId)).catch(() => undefined);
    const place = document.querySelector<HTMLElement>(`[data-publication="${CSS.escape(publicationId)}"] .progress`);
    if (found === undefined) return CALM_INTERVAL_MS;
    const { labels, drawn, acknowledged } = found.progress ?? { labels: 0, drawn: 0, acknowledged: 0 };
    if (place !== null && labels > 0 && state !== "SCHEDULED")
      place.replaceChildren(
        make("progress", { max: labels, value: acknowledged, "aria-label": text("publishing.list") }),
        ` ${text("publishing.progress", { count: labels, drawn, acknowledged })}`,
      );
    if (moving.includes(state) || drawn < labels) return POLL_INTERVAL_MS;
    return acknowledged < labels ? CALM_INTERVAL_MS : undefined;
  }

  const row = (one: Publication): HTMLElement =>
    make(
      "li",
      { "data-publication": one.publicationId },
      make("span", { class: "state", "data-state": markStates[one.state] ?? "UNKNOWN" }, stateText(one)),
      make("span", {}, one.note ?? "", make("span", { class: "progress muted" }), ...reason(one)),
      make(
        "span",
        { class: "muted" },
        `${personText(one.author, text)} · ${momentText(one.at ?? one.createdAt, page)}`,
      ),
      make("span", { class: "buttons" }, ...(mayWrite ? acts(one) : [])),
    );

  const stateText = ({ state }: Publication) => text(`publishing.state.${state}`);

  /** Returns the stores of a canary, and why the publication was stopped or refused. */
  function reason({ state, canary, reason: english }: Publication): HTMLElement[] {
    const names = canary?.stores.map((id) => page.stores.find((store) => store.id === id)?.name ?? id) ?? [];
    return [
      ...(state === "CANARY" ? [make("span", { class: "muted" }, names.join(", "))] : []),
      ...(canary?.stoppedBy ? [make("span", { class: "fault" }, stoppedText(canary, text))] : []),
      ...(state === "REFUSED" ? [make("span", { class: "fault" }, text("publishing.why.REFUSED"))] : []),
      ...(state === "REFUSED" && english ? [make("span", { class: "muted", lang: "en" }, english)] : []),
    ];
  }

  function acts({ publicationId, state, rolledBackBy }: Publication): HTMLElement[] {
    const path = pathOf(publicationId);
    const act = (label: string, method: string, to: string, said: string, isLive: boolean) =>
      button(text(label), () => void run(method, to, said, isLive));
    const back = (isLive: boolean) =>
      act("publishing.takeBack", "POST", `${path}/roll-back`, text("publishing.takenBack"), isLive);
    if (state === "SCHEDULED") return [act("publishing.callOff", "DELETE", path, "", false)];
    if (state === "CANARY")
      return [act("publishing.continue", "POST", `${path}/continue`, text("publishing.published"), true), back(false)];
    return state === "DONE" && rolledBackBy === null ? [back(true)] : [];
  }

  async function run(method: string, path: string, said: string, isLive: boolean): Promise<boolean> {
    const answer = await call(method, path, method === "POST" ? {} : undefined).catch(() => undefined);
    await show(answer?.ok ? said : await refusalOf(answer, page));
    if (answer?.ok && isLive) changedLive(said);
    return answer?.ok === true;
  }

  const takeBack = (publicationId: string) =>
    run("POST", `${pathOf(publicationId)}/roll-back`, text("publishing.takenBack"), true);

  return { show, takeBack };
}
