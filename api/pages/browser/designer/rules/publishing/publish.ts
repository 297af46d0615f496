import { call, element } from "../../../call.ts";
import { type Problem, refusalReason } from "../../../notice-text.ts";
import { make } from "../../make.ts";
import type { Change, Example } from "../counts.ts";
import { data, designName, manage, packId, text } from "../desk.ts";
import { drawPicture, pictureOf } from "../pictures.ts";

interface Trial {
  counts: { labels: number; blank: number; faulty: number; worse: number; changes: readonly Change[] };
  refusals: readonly string[];
}

/** A problem with its English sentences. */
interface Detailed {
  detail?: string;
}

/** What of a publication is ordered in the dialog. */
interface Order {
  note?: string;
  at?: string;
  stores?: readonly string[];
  force?: true;
}

const dialog = () => element<HTMLDialogElement>("#publish-dialog");
const form = () => element<HTMLFormElement>("#publish-form");
const address = `${manage}/publications`;

/**
 * Opens the dialog that shows what a publication of the draft would change, and publishes it if that is wanted. `done`
 * is called with what was made of it.
 */
export async function openPublishing(
  hasDraft: boolean,
  done: (state: string, at: string | null) => void,
): Promise<void> {
  const subject = {
    ...(hasDraft && { drafts: [{ subject: "communication-packs", id: packId }] }),
    ...(!data.isActive && { activate: packId }),
  };
  form().reset();
  refuse("", false);
  showTimes();
  element("#publish-counts").textContent = text("rules.checking");
  element("#publish-changes").replaceChildren();
  element<HTMLButtonElement>("#publish-go").disabled = true;
  dialog().showModal();
  const answer = await call("POST", address, { ...subject, dryRun: true }).catch(() => undefined);
  if (!answer?.ok) return refuse(await reasonOf(answer), false);
  const { counts, refusals } = (await answer.json()) as Trial;
  showCounts(counts);
  refuse(refusals.join(" "), refusals.length > 0);
  element("#publish-go").onclick = async () => {
    element<HTMLButtonElement>("#publish-go").disabled = true;
    const sent = await call("POST", address, { ...subject, ...orderOf(form()) }).catch(() => undefined);
    element<HTMLButtonElement>("#publish-go").disabled = false;
    if (!sent?.ok) return refuse(await reasonOf(sent), sent?.status === 409);
    dialog().close();
    const { state, at } = (await sent.json()) as { state: string; at: string | null };
    done(state, at);
  };
}

/** Lets the dialog show what belongs to a choice, and be closed. */
export function listenToPublishing(): void {
  form().addEventListener("change", showTimes);
  element("#publish-cancel").addEventListener("click", () => dialog().close());
}

function showTimes(): void {
  const chosen = new FormData(form());
  element("#publish-form .at").hidden = chosen.get("when") !== "at";
  const stores = document.querySelector<HTMLElement>("#publish-form .stores");
  if (stores !== null) stores.hidden = chosen.get("where") !== "some";
  const isForced = chosen.has("force");
  element<HTMLButtonElement>("#publish-go").disabled = !element("#force").hidden && !isForced;
}

function orderOf(filled: HTMLFormElement): Order {
  const values = new FormData(filled);
  const note = String(values.get("note") ?? "").trim();
  const at = String(values.get("at") ?? "");
  return {
    ...(note !== "" && { note }),
    ...(values.get("when") === "at" && at !== "" && { at: new Date(at).toISOString() }),
    ...(values.get("where") === "some" && { stores: values.getAll("stores").map(String) }),
    ...(values.has("force") && { force: true as const }),
  };
}

/** Says why it would be refused; `canForce` offers to do it nevertheless. */
function refuse(reason: string, canForce: boolean): void {
  const said = element("#publish-refused");
  said.textContent = reason;
  said.hidden = reason === "";
  element("#force").hidden = !canForce;
  element<HTMLInputElement>("#force input").checked = false;
  element<HTMLButtonElement>("#publish-go").disabled = reason !== "";
}

async function reasonOf(answer: Response | undefined): Promise<string> {
  const problem = ((await answer?.json().catch(() => undefined)) ?? {}) as Problem & Detailed;
  const faults: readonly (object & Detailed)[] = (problem.errors ?? []) as readonly object[];
  const details = faults.flatMap(({ detail }) => detail ?? []);
  // The faults of a pack name its rules, which no sentence of the page could.
  return details.join(" ") || problem.detail || refusalReason(problem, text, () => undefined) || text("form.failed");
}

function showCounts({ labels, blank, faulty, worse, changes }: Trial["counts"]): void {
  const said = [
    labels === 0 ? text("rules.noChange") : text("rules.wouldChange", { count: labels }),
    ...(blank + faulty + worse > 0 ? [text("rules.worse", { blank, faulty, worse })] : []),
  ];
  element("#publish-counts").textContent = said.join(" ");
  if (changes.length === 0) return;
  const titles = ["rules.change", "rules.changeTo", "rules.labels", "rules.examples"];
  const head = make("tr", {}, ...titles.map((key) => make("th", { scope: "col" }, text(key))));
  element("#publish-changes").replaceChildren(
    make("table", { class: "changes" }, make("thead", {}, head), make("tbody", {}, ...changes.map(changeRow))),
  );
}

function changeRow(change: Change): HTMLElement {
  const { from, to, labels, examples = [] } = change;
  const side = ({ scenario, design_id }: Change["from"]) =>
    `${scenario ?? text("rules.noRule")} · ${design_id === null ? text("rules.noDesign") : designName(design_id)}`;
  const shown = make("td", {});
  const [example] = examples;
  if (example !== undefined) void showExample(shown, change, example);
  return make(
    "tr",
    {},
    make("td", {}, side(from)),
    make("td", {}, side(to)),
    make("td", { class: "labels" }, new Intl.NumberFormat(text.language).format(labels)),
    shown,
  );
}

/** One label of a change: what it shows now, and what it would show. */
async function showExample(
  cell: HTMLElement,
  { from, to }: Change,
  { storeId, itemId, labelType }: Example,
): Promise<void> {
  const order = { storeId, itemId, labelType };
  for (const [design, said] of [
    [from.design_id, text("rules.before")],
    [to.design_id, text("rules.after")],
  ] as const) {
    const picture = design === null ? undefined : await drawPicture(design, order);
    if (picture === undefined) continue;
    const alt = `${text("rules.pictureOf", { item: itemId })}: ${said}`;
    cell.append(make("figure", {}, pictureOf(picture, alt), make("figcaption", {}, said)));
  }
}
