import type { CanvasDesign } from "../../../../schemas/canvas.ts";
import { labelSizeOf } from "../../../../schemas/canvas.ts";
import type { LabelType } from "../../../../schemas/label-type.ts";
import type { DraftAnswer } from "../../../../schemas/version.ts";
import { html } from "../../html/html.ts";
import type { Page, Visit } from "../../visit.ts";
import { assertDesigner } from "../desk.ts";
import { newForm } from "./new-canvas.ts";

export type ShownCanvas = CanvasDesign & { canvasId: string; key: string };

/** The designs of a retailer, and the form for a new one. */
export const canvasesPage: Page = {
  path: "/designer/canvases",
  entry: "designer",
  styles: ["items.css", "stores.css", "canvases.css"],
  scripts: ["designer/canvases/canvases.ts"],
  async show(visit) {
    assertDesigner(visit);
    const { texts, link } = visit;
    const [canvases, drafts, types, templates] = await Promise.all([
      visit.read<ShownCanvas[]>("listCanvasDesigns"),
      visit.read<Pick<DraftAnswer, "subject" | "id">[]>("listDrafts"),
      visit.read<LabelType[]>("listLabelTypes"),
      visit.read<{ templateId: string }[]>("listDesignTemplates"),
    ]);
    const inOrder = canvases.toSorted((one, other) => one.name.localeCompare(other.name, visit.language));
    const drafted = new Set(drafts.filter(({ subject }) => subject === "canvas-designs").map(({ id }) => id));
    const unpublished = [...drafted].filter((id) => !canvases.some(({ canvasId }) => canvasId === id));
    const row = (id: string, name: string, size: string) =>
      html`<li><a class="entry" href="${link(`/designer/canvases/${encodeURIComponent(id)}`)}"><span class="name">${name}</span><span class="muted">${size}</span><span class="muted">${drafted.has(id) && texts("canvases.draft")}</span></a></li>`;
    const rows = [
      ...unpublished.sort().map((id) => row(id, id, "")),
      ...inOrder.map((canvas) => row(canvas.canvasId, canvas.name, sizesText(visit, canvas))),
    ];
    const content = html`<div class="page stores-page canvases-page">
<header class="title"><p class="crumb"><a href="${link("/designer")}">${texts("nav.designer")}</a></p><h1>${texts("desk.canvases")}</h1></header>
${visit.mayInTenant("design:write") && newForm(visit, { canvases: inOrder, templates, types })}
<section class="card list-card" aria-labelledby="all-title"><h2 id="all-title">${texts("desk.canvases")}</h2>${
      rows.length === 0 ? html`<p>${texts("canvases.none")}</p>` : html`<ul class="entries">${rows}</ul>`
    }</section>
</div>`;
    return { title: texts("desk.canvases"), content };
  },
};

function sizesText({ texts }: Visit, canvas: ShownCanvas): string {
  const { variants = [] } = canvas;
  if (variants.length > 0) return texts("canvases.sizes", { count: variants.length + 1 });
  return texts("canvases.size", labelSizeOf(canvas));
}
