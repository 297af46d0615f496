import type { DraftSummary } from "../../../schemas/version.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { PackAnswer } from "../../management/packs/pack-answer.ts";
import { type Html, html } from "../html/html.ts";
import { mark } from "../layout/marks.ts";
import type { Page, Visit } from "../visit.ts";
import { newPackForm } from "./rules/new-pack.ts";

/** The designer's desk: the rules and the designs of a retailer, for those who may read them in all of its stores. */
export const desk: Page = {
  path: "/designer",
  entry: "designer",
  styles: ["items.css", "stores.css"],
  scripts: ["designer/desk.ts"],
  async show(visit) {
    const { texts, link } = visit;
    assertDesigner(visit);
    const [live, drafts] = await Promise.all([
      visit.read<PackAnswer[]>("listPacks"),
      visit.read<Pick<DraftSummary, "subject" | "id">[]>("listDrafts"),
    ]);
    const begun = drafts.filter(
      ({ subject, id }) => subject === "communication-packs" && !live.some(({ packId }) => packId === id),
    );
    const packs = [...inOrder(live), ...begun.map(({ id }) => ({ packId: id, name: id, active: false }))];
    const rows = packs.map(
      ({ packId, name, active }) =>
        html`<li><a class="entry" href="${link("/designer/rules", { pack: packId })}"><span class="name">${name}</span><span class="muted">${packId}</span><span class="states">${active && html`<span class="state" data-state="OK">${mark("OK")}${texts("desk.active")}</span>`}</span></a></li>`,
    );
    const content = html`<div class="page stores-page">
<h1 class="visually-hidden">${texts("nav.designer")}</h1>
${card("rules", texts("desk.rules"), texts("desk.rulesWhat"), html`${packs.length === 0 ? html`<p>${texts("desk.noRules")}</p>` : html`<ul class="entries">${rows}</ul>`}${visit.mayInTenant("design:write") && newPackForm(visit)}`)}
${card("canvases", texts("desk.canvases"), texts("desk.canvasesWhat"), html`<p><a class="button" href="${link("/designer/canvases")}">${texts("desk.openCanvases")}</a></p>`)}
</div>`;
    return { title: texts("nav.designer"), content };
  },
};

/** Refuses visitors who may not read designs in all stores. */
export function assertDesigner({ mayInTenant }: Visit): void {
  if (mayInTenant("design:read")) return;
  throw new ProblemError("insufficient-scope", "Rules and designs are read with design:read for all stores.");
}

/** The active pack first, the others by name. */
export const inOrder = (packs: readonly PackAnswer[]): readonly PackAnswer[] =>
  packs.toSorted((a, b) => Number(b.active) - Number(a.active) || a.name.localeCompare(b.name));

const card = (id: string, title: string, what: string, content: Html): Html =>
  html`<section class="card list-card" aria-labelledby="${id}-title"><header><h2 id="${id}-title">${title}</h2><p class="hint">${what}</p></header>
${content}</section>`;
