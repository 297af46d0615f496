import { call, element } from "../../call.ts";
import { readJson } from "../../read-all.ts";
import { make } from "../make.ts";
import { type Change, type Counts, countsText, type Example, type Limits, refusalsText, type Trial } from "./counts.ts";
import { type PublishingPage, refusalOf, type Subject } from "./page.ts";
import type { Publication } from "./publications.ts";

/** What will go live: drafts, and a pack to activate. */
export interface ToPublish {
  drafts?: readonly { subject: Subject; id: string }[];
  activate?: string;
}

interface Shown {
  /** Called with a publication that was accepted. */
  done(publication: Publication): void;
  /** Returns the name of a design, given its key. */
  designName?(key: string): string;
  /** Shows an affected label's picture before and after the publication. */
  showExample?(cell: HTMLElement, change: Change, example: Example): Promise<void>;
}

/** When, where and why to publish. */
interface Order {
  note?: string;
  at?: string;
  stores?: readonly string[];
  force?: true;
}

/**
 * Returns a function that opens the dialog for a publication: what it would change and make worse, and when and where it
 * takes effect. A publication beyond the limits must be confirmed.
 */
export function createPublishDialog(page: PublishingPage, shown: Shown): (order: ToPublish) => Promise<void> {
  const { manage, text } = page;
  const address = `${manage}/publications`;
  const dialog = element<HTMLDialogElement>("#publish-dialog");
  const form = element<HTMLFormElement>("#publish-form");
  const go = element<HTMLButtonElement>("#publish-go");
  let wanted: ToPublish = {};

  const send = (more: object) => call("POST", address, { ...wanted, ...more }).catch(() => undefined);

  form.addEventListener("change", showChoices);
  element("#publish-cancel").addEventListener("click", () => dialog.close());
  go.addEventListener("click", () => void publish());

  async function publish(): Promise<void> {
    go.disabled = true;
    const sent = await send(orderOf(form));
    go.disabled = false;
    if (!sent?.ok) return refuse(await refusalOf(sent, page), sent?.status === 409);
    const publication = (await sent.json()) as Publication;
    dialog.close();
    shown.done(publication);
  }

  return async (order) => {
    wanted = order;
    form.reset();
    refuse("", false);
    showChoices();
    element("#publish-counts").textContent = text("publishing.checking");
    for (const place of ["#publish-changes", "#publish-examples"]) element(place).replaceChildren();
    go.disabled = true;
    dialog.showModal();
    const [answer, limits] = await Promise.all([
      send({ dryRun: true }),
      readJson<Limits>(`${manage}/publish-limits`).catch((): Limits => ({})),
    ]);
    if (!answer?.ok) {
      element("#publish-counts").textContent = "";
      return refuse(await refusalOf(answer, page), false);
    }
    const trial = (await answer.json()) as Trial;
    showCounts(trial.counts, page, shown);
    refuse(refusalsText(trial, limits, text), trial.refusals.length > 0);
  };

  /** Shows why it would be refused; `canForce` offers to publish anyway. */
  function refuse(reason: string, canForce: boolean): void {
    const said = element("#publish-refused");
    said.textContent = reason;
    said.hidden = reason === "";
    element("#force").hidden = !canForce;
    element<HTMLInputElement>("#force input").checked = false;
    go.disabled = reason !== "";
  }
}

/** Shows the fields for the chosen option. */
function showChoices(): void {
  const chosen = new FormData(element<HTMLFormElement>("#publish-form"));
  element("#publish-form .at").hidden = chosen.get("when") !== "at";
  const stores = document.querySelector<HTMLElement>("#publish-form .stores");
  if (stores !== null) stores.hidden = chosen.get("where") !== "some";
  element<HTMLButtonElement>("#publish-go").disabled = !element("#force").hidden && !chosen.has("force");
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

function showCounts(counts: Counts, { text }: PublishingPage, shown: Shown): void {
  element("#publish-counts").textContent = countsText(counts, text);
  const { changes, examples } = counts;
  const worse = examples.map(({ storeId, barcode, told }) =>
    make("li", {}, `${storeId}, ${barcode}: `, make("span", { lang: "en" }, told.join("; "))),
  );
  element("#publish-examples").replaceChildren(...worse);
  if (changes.length === 0) return;
  const titles = ["change", "changeTo", "labels", "examples"].map((name) => text(`publishing.${name}`));
  const head = make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title)));
  const rows = changes.map((change) => changeRow(change, text, shown));
  element("#publish-changes").replaceChildren(
    make("table", { class: "changes" }, make("thead", {}, head), make("tbody", {}, ...rows)),
  );
}

function changeRow(change: Change, text: PublishingPage["text"], { designName, showExample }: Shown): HTMLElement {
  const { from, to, labels, examples: [example] = [] } = change;
  const nameOf = designName ?? ((key: string) => key.slice(key.lastIndexOf("/") + 1));
  const side = ({ scenario, design_id }: Change["from"]) =>
    `${scenario ?? text("publishing.noRule")} · ${design_id === null ? text("publishing.noDesign") : nameOf(design_id)}`;
  const cell = make("td", {});
  if (example !== undefined) void showExample?.(cell, change, example);
  const number = new Intl.NumberFormat(text.language).format(labels);
  return make(
    "tr",
    {},
    make("td", {}, side(from)),
    make("td", {}, side(to)),
    make("td", { class: "labels" }, number),
    cell,
  );
}
