import { type WorkCauseName, type WorkList, workCauseNames } from "../../../schemas/work-list.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { mark } from "../layout/marks.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import type { Page, Visit } from "../visit.ts";
import { actsBar } from "./acts-bar.ts";
import { entriesByPlace } from "./entries.ts";
import { lawSection } from "./law-section.ts";

/** About as many as a person can walk to in a day, and print on a few pages. */
const LABELS_PER_PAGE = 200;

/** The work on a store's labels: causes, worst first, and the labels of one cause by location. */
export const workPage: Page = {
  path: "/work",
  entry: "work",
  styles: ["overview.css", "work.css"],
  scripts: ["work/work.ts"],
  async show(visit) {
    const { texts, store, read, query, storeBase, permit } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const list = (cause: WorkCauseName | undefined) =>
      read<WorkList>("getWork", {
        storeId: store.id,
        query: {
          ...{ limit: LABELS_PER_PAGE, serializeDatesToIso8601: true },
          ...(cause && { cause }),
          ...(query.has("after") && { after: query.get("after") }),
        },
      });
    const asked = workCauseNames.find((name) => name === query.get("cause"));
    const [found, law] = await Promise.all([list(asked), lawSection(visit, store.id)]);
    const cause = asked ?? found.causes.find(({ labels }) => labels > 0)?.cause;
    const content = html`<div class="page work-page" id="work" data-base="${storeBase}" data-cause="${cause}" data-texts="${scriptTexts(visit, scriptKeys)}">
<header class="title"><h1>${texts("work.title")}</h1><p class="muted only-print">${store.name}</p></header>
<section class="card">${headline(visit, found)}${causeTiles(visit, found, cause)}</section>
${cause !== undefined && labelsOf(visit, found, cause)}
${law}
<datalist id="people">${[...new Set([permit.subject, ...found.entries.map(({ assignment }) => assignment?.assignee)])].map((name) => name && html`<option value="${name}"></option>`)}</datalist>
</div>`;
    return { title: texts("work.title"), content };
  },
};

function headline({ texts }: Visit, { work, troubled, isCut }: WorkList): Html {
  const state = troubled > 0 ? "ERROR" : work > 0 ? "PENDING" : isCut ? "UNKNOWN" : "OK";
  const text = work === 0 ? texts("work.none") : texts("work.headline", { count: work });
  return html`<p class="verdict" data-state="${state}" role="status">${mark(state)}<span>${text}</span></p>${isCut && html`<p class="hint">${texts("work.cut")}</p>`}`;
}

/** The number of labels for each cause, which add up to the headline, and how many of them are assigned or done. */
function causeTiles({ texts, link }: Visit, { causes }: WorkList, chosen: WorkCauseName | undefined): Html | false {
  const tiles = causes.filter(({ labels }) => labels > 0);
  return (
    tiles.length > 0 &&
    html`<nav aria-label="${texts("work.causes")}"><ul class="tiles">${tiles.map(
      ({ cause, labels, assigned, done }) =>
        html`<li><a class="tile" href="${link("/work", { cause })}"${cause === chosen && html` aria-current="true"`}><span class="figure">${texts("number", { count: labels })}</span><span class="word">${texts(`work.cause.${cause}`)}</span>${
          assigned + done > 0 &&
          html`<span class="word">${[assigned > 0 && texts("work.assigned", { count: assigned }), done > 0 && texts("work.done", { count: done })].filter(Boolean).join(" · ")}</span>`
        }</a></li>`,
    )}</ul></nav>`
  );
}

/** The labels with the chosen cause, and the actions on them. */
function labelsOf(visit: Visit, list: WorkList, cause: WorkCauseName): Html {
  const { texts, link, storeBase, may, query } = visit;
  const entries = list.entries.filter((entry) => entry.cause === cause);
  const csv = `${storeBase}/work?${new URLSearchParams({ cause, format: "csv" })}`;
  // If no cause is chosen, the page begins with labels that have this cause, and may end with labels that have the next.
  const labels = list.causes.find((one) => one.cause === cause)?.labels ?? 0;
  const next = query.has("cause") || labels > entries.length ? list.next : null;
  return html`<section class="card work-labels" aria-labelledby="cause-title"><header class="bar"><h2 id="cause-title">${texts(`work.cause.${cause}`)}</h2>
<div class="buttons">${may("labels:write") && html`<a class="button" href="${link("/aisle")}">${texts("work.aisle")}</a>`}<a class="button" download="${cause}.csv" href="${csv}">${texts("work.csv")}</a><button${scripted} type="button" id="print">${texts("work.print")}</button></div></header>
<p class="hint">${texts(`work.hint.${cause}`)}${cause === "HELD_PRICE" && may("items:read") && html` <a href="${link("/held")}">${texts("work.held")}</a>`}</p>
${may("labels:write") && html`<label class="check select-all"><input type="checkbox" id="all"> <span>${texts("work.all")}</span></label>`}
${entriesByPlace(visit, entries)}
${next !== null && html`<nav class="leaves" aria-label="${texts("work.more")}"><a class="button" href="${link("/work", { cause, after: next })}">${texts("work.more")}</a></nav>`}
${may("labels:write") && actsBar(visit)}</section>`;
}

const scriptKeys = [
  "work.saved",
  "work.nobody",
  "form.failed",
  "shelf.selected",
  "confirm.flash",
  "confirm.refresh",
  "confirm.unlink",
  "shelf.done",
  "shelf.stopped",
  "shelf.later",
  "shelf.unreachable",
  "shelf.unsupported",
  "shelf.refused",
] as const;
