import type { LabelType } from "../../../../schemas/label-type.ts";
import { type Html, html } from "../../html/html.ts";
import { scripted } from "../../html/scripted.ts";
import { refusalKeys } from "../../layout/reason-keys.ts";
import { scriptTexts } from "../../layout/script-texts.ts";
import { canvas as messages } from "../../messages/canvas/en.ts";
import type { Key } from "../../messages/en.ts";
import type { Visit } from "../../visit.ts";

/** The possible starting points of a new design, and the labels that it can be for. */
interface Beginnings {
  canvases: readonly { canvasId: string; name: string }[];
  templates: readonly { templateId: string }[];
  types: readonly LabelType[];
}

/** The form for a new design: its name, the labels that it is for, and its start. */
export function newForm(visit: Visit, { canvases, templates, types }: Beginnings): Html {
  const { texts, manage, link, store, storeBase } = visit;
  const matrix = types.filter(({ display }) => display === "matrix");
  const sizes = matrix.map(({ type, width, height }) => ({ type, width, height }));
  return html`<details class="card new-canvas"><summary>${texts("canvases.new")}</summary>
<form id="new-canvas" data-manage="${manage}" data-base="${storeBase}" data-store="${store?.id ?? ""}" data-page="${link("/designer/canvases/")}" data-types="${JSON.stringify(sizes)}" data-texts="${scriptTexts(visit, newKeys)}">
<label class="field"><span>${texts("canvases.name")}</span><input name="name" required maxlength="200" autocomplete="off"></label>
<fieldset class="boxes"><legend>${texts("canvases.for")}</legend>${matrix.map(
    ({ type, width, height, colors }) =>
      html`<label class="check"><input type="checkbox" name="types" value="${type}"><span>${type} <span class="muted">${width} × ${height}, ${colors.map((color) => texts(`color.${color}`)).join(", ")}</span></span></label>`,
  )}</fieldset>
<fieldset class="gallery"><legend>${texts("canvases.start")}</legend>
<label class="start"><span class="start-title"><input type="radio" name="start" value="" checked><span class="name">${texts("canvases.empty")}</span></span></label>
${canvases.length > 0 && html`<div class="start"><label class="start-title"><input type="radio" name="start" value="design"><span class="name">${texts("canvases.own")}</span></label><select name="from" aria-label="${texts("canvases.own")}">${canvases.map(({ canvasId, name }) => html`<option value="${canvasId}">${name}</option>`)}</select></div>`}
${templates.map(({ templateId }) => templateCard(visit, templateId))}</fieldset>
<div class="buttons"><button${scripted} class="primary">${texts("canvases.create")}</button></div>
<p class="outcome" role="status" id="outcome"></p>
</form></details>`;
}

/** A template, whose pictures the script draws. */
function templateCard({ texts }: Visit, id: string): Html {
  const said = (key: string, otherwise: string) => (isKey(key) ? texts(key) : otherwise);
  const title = said(`canvases.template.${id}`, id);
  return html`<label class="start" data-template="${id}"><span class="start-title"><input type="radio" name="start" value="${id}" aria-label="${title}" aria-describedby="template-${id}"><span class="name">${title}</span></span>
<span class="muted" id="template-${id}">${said(`canvases.templateWhat.${id}`, "")} <span class="lacking"></span></span><span class="start-pictures"></span></label>`;
}

const isKey = (key: string): key is Key => Object.hasOwn(messages, key);

const newKeys: readonly Key[] = [
  ...(["canvases.noTypes", "canvases.lacking", "canvases.sampleItem", "canvas.failed", "canvas.refused"] as const),
  ...refusalKeys,
];
