import { call, element } from "../../../call.ts";
import { readJson } from "../../../read-all.ts";
import { button, make } from "../../make.ts";
import { data, manage, packId, text } from "../desk.ts";

interface Publication {
  publicationId: string;
  state: string;
  author: string;
  note: string | null;
  createdAt: string;
  at: string | null;
  changes: readonly { subject: string; id: string }[];
  activates: string | null;
  rolledBackBy: string | null;
}

/** Publications beyond these are history. */
const MAX_SHOWN = 8;
const address = `${manage}/publications`;
const moment = new Intl.DateTimeFormat(text.language, { dateStyle: "medium", timeStyle: "short" });

const POLL_INTERVAL_MS = 2_000;
let poll: number | undefined;

/** Shows how many labels of the newest publication have their picture, until all do. */
async function showProgress({ publicationId, state }: Publication): Promise<void> {
  window.clearTimeout(poll);
  if (!["PUBLISHING", "DONE", "CANARY"].includes(state)) return;
  const found = await readJson<Publication & { progress: { labels: number; drawn: number } | null }>(
    `${address}/${encodeURIComponent(publicationId)}`,
  ).catch(() => undefined);
  const place = document.querySelector<HTMLElement>(`[data-publication="${CSS.escape(publicationId)}"] .progress`);
  if (found === undefined || place === null) return;
  const { progress } = found;
  if (found.state !== state) return showPublications();
  if (progress === null || progress.labels === 0) return;
  const { labels, drawn } = progress;
  place.replaceChildren(
    make("progress", { max: labels, value: drawn, "aria-label": text("rules.publications") }),
    ` ${text("rules.progress", { count: labels, drawn })}`,
  );
  if (drawn < labels) poll = window.setTimeout(() => void showProgress(found), POLL_INTERVAL_MS);
}

/** Lists the last publications of this pack, each with one button that takes it back; says how the last call went. */
export async function showPublications(said = ""): Promise<void> {
  const all = await readJson<Publication[]>(`${address}?limit=100`).catch(() => []);
  const own = all.filter(
    ({ changes, activates }) =>
      activates === packId || changes.some(({ subject, id }) => subject === "communication-packs" && id === packId),
  );
  element("#publications").hidden = own.length === 0;
  element("#publication-list").replaceChildren(...own.slice(0, MAX_SHOWN).map(row));
  element("#publication-outcome").textContent = said;
  if (own[0] !== undefined) await showProgress(own[0]);
}

const row = (one: Publication): HTMLElement =>
  make(
    "li",
    { "data-publication": one.publicationId },
    make("span", { class: "state", "data-state": states[one.state] ?? "UNKNOWN" }, text(`rules.state.${one.state}`)),
    make("span", {}, one.note ?? "", make("span", { class: "progress muted" })),
    make("span", { class: "muted" }, `${one.author} · ${moment.format(new Date(one.at ?? one.createdAt))}`),
    make("span", { class: "buttons" }, ...acts(one)),
  );

const states: Readonly<Record<string, string>> = {
  DONE: "OK",
  SCHEDULED: "PENDING",
  PUBLISHING: "PENDING",
  CANARY: "PENDING",
  STOPPED: "ERROR",
  REFUSED: "ERROR",
};

function acts({ publicationId, state, rolledBackBy }: Publication): HTMLElement[] {
  if (!data.mayWrite) return [];
  const own = `${address}/${encodeURIComponent(publicationId)}`;
  const run = async (method: string, path: string, said: string, reloads: boolean) => {
    const answer = await call(method, path, method === "POST" ? {} : undefined).catch(() => undefined);
    const problem = (await answer?.json().catch(() => undefined)) as { detail?: string } | undefined;
    if (answer?.ok && reloads) return location.reload();
    await showPublications(answer?.ok ? said : (problem?.detail ?? text("form.failed")));
  };
  if (state === "SCHEDULED") return [button(text("cancel"), () => void run("DELETE", own, "", false))];
  if (state === "CANARY")
    return [
      button(text("rules.continue"), () => void run("POST", `${own}/continue`, text("rules.published"), false)),
      button(text("rules.rollBack"), () => void run("POST", `${own}/roll-back`, text("rules.takenBack"), true)),
    ];
  if (state !== "DONE" || rolledBackBy !== null) return [];
  return [button(text("rules.rollBack"), () => void run("POST", `${own}/roll-back`, text("rules.takenBack"), true))];
}
