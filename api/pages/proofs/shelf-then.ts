import type { LabelShown } from "../../../schemas/proof.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import type { ShownLabel } from "../label/label-facts.ts";
import type { Page, Visit } from "../visit.ts";
import { chosenTime, timeChoice } from "./time-choice.ts";

const LABELS_PER_PAGE = 50;

/** A store's labels by location, with the price that each showed at a given time. */
export const shelfThenPage: Page = {
  path: "/shelf/then",
  below: "shelf",
  styles: ["items.css", "proofs.css"],
  async show(visit) {
    const { texts, store, link, query } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const at = chosenTime(visit);
    const start = Math.max(0, Math.trunc(Number(query.get("start") ?? 0)) || 0);
    const content = html`<div class="page then-page"><header class="title"><p class="crumb"><a href="${link("/shelf")}">${texts("nav.shelf")}</a></p><h1>${texts("then.title")}</h1></header>
${timeChoice(visit, at ?? "")}
${(at === undefined ? undefined : await list(visit, at, start)) ?? html`<p class="alert" role="alert">${texts("proof.future")}</p>`}
</div>`;
    return { title: texts("then.title"), content };
  },
};

/** A page of the list; undefined if the time is in the future. */
async function list(visit: Visit, at: string, start: number): Promise<Html | undefined> {
  const { texts, read, link, store } = visit;
  const storeId = store?.id ?? "";
  const labels = await read<ShownLabel[]>("listLabels", {
    storeId,
    query: { sortProperty: "plLocation", start, limit: LABELS_PER_PAGE + 1 },
  });
  const listed = labels.slice(0, LABELS_PER_PAGE);
  if (listed.length === 0) return html`<p class="card">${texts("then.empty")}</p>`;
  const barcode = listed.map((label) => label.barcode);
  const shown = await read<LabelShown[]>("getLabelsShown", { storeId, query: { at, barcode } }).catch(
    (error: unknown) => {
      if (!(error instanceof ProblemError && error.problem === "invalid-request")) throw error;
      return undefined;
    },
  );
  if (shown === undefined) return undefined;
  const byBarcode = new Map(shown.map((one) => [one.barcode, one]));
  const leaf = (place: number, key: "items.previous" | "items.next") =>
    html`<a class="button" href="${link("/shelf/then", { at, start: String(Math.max(0, place)) })}">${texts(key)}</a>`;
  return html`<ul class="rows card">${listed.map((label) => row(visit, label, byBarcode.get(label.barcode), at))}</ul>
<nav class="leaves" aria-label="${texts("then.title")}">${start > 0 && leaf(start - LABELS_PER_PAGE, "items.previous")}${labels.length > LABELS_PER_PAGE && leaf(start + LABELS_PER_PAGE, "items.next")}</nav>`;
}

function row({ texts, link, price }: Visit, label: ShownLabel, found: LabelShown | undefined, at: string): Html {
  const { shown = null, certainty } = found ?? {};
  const items = shown?.items ?? [];
  const prices = items.map((item) => (item.price === null ? texts("proof.noPrice") : price(item.price))).join(" · ");
  const value = shown === null ? texts("then.none") : items.length === 0 ? "–" : prices;
  return html`<li data-certainty="${certainty}"><a href="${link(`/labels/${encodeURIComponent(label.barcode)}/proof`, { at })}"><span class="name">${label.plLocation ?? texts("work.noPlace")}</span><span class="number">${label.barcode}</span><span class="place">${items.map(({ itemId }) => itemId).join(" · ")}</span><span class="price">${value}</span>${certainty === "UNKNOWN" && shown !== null && html`<span class="planned">${texts("then.unsure")}</span>`}</a></li>`;
}
