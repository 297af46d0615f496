import { kinds } from "../../browser/designer/canvases/document/new-element.ts";
import { type Html, html } from "../../html/html.ts";
import { scripted } from "../../html/scripted.ts";
import type { Key } from "../../messages/en.ts";
import type { Visit } from "../../visit.ts";
import { publications, publishDialog, versionsButton, versionsDialog } from "../publishing.ts";

/** The editor's frame; its script fills the lists and draws the pictures. */
export const editor = (visit: Visit, name: string): Html => html`${bar(visit, name)}
<noscript><p class="alert">${visit.texts("canvas.noscript")}</p></noscript>
<div class="bench">
${layers(visit)}
${stage(visit)}
${settings(visit)}
</div>
${matrix(visit)}
${versionsDialog(visit, publications(visit))}${visit.mayInTenant("design:write") && publishDialog(visit)}`;

/** Outlines on a 16 by 16 grid. */
const glyphs = {
  undo: html`<path d="M6 3 2.5 6.5 6 10M3 6.5h6.5a4 4 0 0 1 0 8H7"/>`,
  redo: html`<path d="m10 3 3.5 3.5L10 10M13 6.5H6.5a4 4 0 0 0 0 8H9"/>`,
  forward: html`<path d="M8 13V3.5M4 7.5l4-4 4 4"/>`,
  back: html`<path d="M8 3v9.5M4 8.5l4 4 4-4"/>`,
  duplicate: html`<path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"/>`,
  group: html`<path d="M2.5 2.5h11v11h-11z" stroke-dasharray="2 2"/><path d="M5 5h3v3H5zM8.5 8.5h2.5v2.5H8.5z"/>`,
  stack: html`<path d="M3 2.5h10v3H3zM3 6.5h10v3H3zM3 10.5h10v3H3z"/>`,
  ungroup: html`<path d="M2 2h5v5H2zM9 9h5v5H9z"/>`,
  remove: html`<path d="M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9"/>`,
} as const;

const button = ({ texts }: Visit, id: string, key: Key): Html =>
  html`<button${scripted} type="button" id="${id}">${texts(key)}</button>`;

const tool = ({ texts }: Visit, id: keyof typeof glyphs, key: Key): Html =>
  html`<button${scripted} type="button" class="glyph" id="${id}" title="${texts(key)}" aria-label="${texts(key)}"><svg class="mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${glyphs[id]}</svg></button>`;

function bar(visit: Visit, name: string): Html {
  const { texts, link, mayInTenant } = visit;
  const mayWrite = mayInTenant("design:write");
  return html`<header class="editor-bar"><p class="crumb"><a href="${link("/designer/canvases")}">${texts("desk.canvases")}</a></p>
<h1 class="visually-hidden">${name}</h1><input id="design-name" class="design-name" value="${name}" maxlength="256" aria-label="${texts("canvases.name")}" autocomplete="off"${!mayWrite && html` readonly`}>
<div class="steps">${tool(visit, "undo", "canvas.undo")}${tool(visit, "redo", "canvas.redo")}</div>
<p class="save-state muted" role="status" id="save-state">${!mayWrite && texts("canvas.readonly")}</p>
<div class="publish" id="publish-bar">${versionsButton(visit)}${mayWrite && html`<button${scripted} type="button" id="take-back" hidden>${texts("publishing.takeBack")}</button>${button(visit, "save", "canvas.save")}<button${scripted} type="button" class="primary" id="publish">${texts("canvas.publish")}</button>`}</div><div class="alert" id="conflict" role="alert" hidden></div></header>`;
}

function layers(visit: Visit): Html {
  const { texts } = visit;
  return html`<section class="panel layers" aria-labelledby="layers-title"><header class="bar"><h2 id="layers-title">${texts("canvas.layers")}</h2>
<select id="add" aria-label="${texts("canvas.add")}"><option value="">+ ${texts("canvas.add")}</option>${kinds.map((kind) => html`<option value="${kind}">${texts(`canvas.kind.${kind}`)}</option>`)}</select></header>
<ol id="layers"></ol><p class="hint" id="no-layers" hidden>${texts("canvas.noLayers")}</p><p class="hint" id="hidden" role="status"></p>
<div class="tools">${tool(visit, "forward", "canvas.forward")}${tool(visit, "back", "canvas.back")}${tool(visit, "duplicate", "canvas.duplicate")}${tool(visit, "group", "canvas.group")}${tool(visit, "stack", "canvas.stack")}${tool(visit, "ungroup", "canvas.ungroup")}${tool(visit, "remove", "canvas.remove")}</div></section>`;
}

function stage({ texts }: Visit): Html {
  const scales = [1, 2, 4].map(
    (scale) =>
      html`<option value="${scale}">${scale === 1 ? texts("canvas.asIs") : texts("canvas.scaleTimes", { scale })}</option>`,
  );
  return html`<section class="panel middle" aria-label="${texts("canvas.stage")}">
<div class="views"><label class="field"><span>${texts("canvas.label")}</span><select id="type"></select></label>
<label class="field wide"><span>${texts("canvas.item")}</span><select id="item"></select></label>
<label class="field"><span>${texts("canvas.scale")}</span><select id="scale">${scales}</select></label>
<label class="field"><span>${texts("canvas.unit")}</span><select id="unit"><option value="px">${texts("canvas.pixels")}</option><option value="mm">${texts("canvas.millimetres")}</option></select></label></div>
<div class="sizes" id="sizes" role="group" aria-label="${texts("canvas.sizes")}"></div>
<div class="stage" id="stage" tabindex="0" role="group" aria-label="${texts("canvas.stage")}" aria-describedby="stage-hint"><div class="label-sheet" id="sheet"><canvas id="picture" class="pixels"></canvas><canvas id="guide" hidden></canvas><div id="boxes"></div></div></div>
<p class="hint" id="stage-hint">${texts("canvas.stageHint")}</p>
<p class="notices" id="notices" role="status"></p>
<div class="true-sizes"><figure><canvas id="as-is" class="pixels"></canvas><figcaption>${texts("canvas.asIs")}</figcaption></figure>
<figure><canvas id="true-size" class="pixels"></canvas><figcaption>${texts("canvas.trueSize")} <span id="millimetres"></span></figcaption></figure>
<figure><canvas id="distance"></canvas><figcaption>${texts("canvas.distance")}</figcaption></figure></div>
<div class="switches"><label class="check"><input type="checkbox" id="snap" checked><span>${texts("canvas.snap")}</span></label>
<label class="check"><input type="checkbox" id="paper"><span>${texts("canvas.paper")}</span></label>
<label class="guide-file"><span>${texts("canvas.guide")}</span><input type="file" id="guide-file" accept="image/*" title="${texts("canvas.guideHint")}"></label>
<input type="range" id="guide-strength" min="0" max="100" value="40" aria-label="${texts("canvas.guideStrength")}" hidden></div></section>`;
}

const settings = ({ texts }: Visit): Html =>
  html`<section class="panel settings" aria-labelledby="settings-title"><h2 id="settings-title">${texts("canvas.properties")}</h2>
<p class="facts muted" id="facts"></p><form id="fields"></form><p class="hint help" id="help" lang="en"></p></section>`;

const matrix = (visit: Visit): Html =>
  html`<section class="panel matrix" aria-labelledby="matrix-title"><header class="bar"><div><h2 id="matrix-title">${visit.texts("canvas.matrix")}</h2><p class="hint">${visit.texts("canvas.matrixWhat")}</p></div>
<p class="muted" id="matrix-state" role="status"></p>${button(visit, "draw-all", "canvas.drawAll")}</header>
<ul id="matrix" tabindex="0" aria-label="${visit.texts("canvas.matrix")}"></ul><div id="all-items" hidden><p id="all-state" role="status"></p><ul id="different"></ul></div></section>`;
