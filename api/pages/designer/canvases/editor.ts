import { kinds } from "../../browser/designer/canvases/document/new-element.ts";
import { type Html, html } from "../../html/html.ts";
import { scripted } from "../../html/scripted.ts";
import type { Key } from "../../messages/en.ts";
import type { Visit } from "../../visit.ts";

/** The editor's frame; its script fills the lists and draws the pictures. */
export const editor = (visit: Visit, name: string): Html => html`${bar(visit, name)}
<noscript><p class="alert">${visit.texts("canvas.noscript")}</p></noscript>
<div class="bench">
${layers(visit)}
${stage(visit)}
${settings(visit)}
</div>
${matrix(visit)}
${publishDialog(visit)}`;

const button = ({ texts }: Visit, id: string, key: Key, glyph?: string): Html =>
  html`<button${scripted} type="button" id="${id}"${glyph !== undefined && html` class="glyph" title="${texts(key)}" aria-label="${texts(key)}"`}>${glyph ?? texts(key)}</button>`;

function bar(visit: Visit, name: string): Html {
  const { texts, link, mayInTenant } = visit;
  const mayWrite = mayInTenant("design:write");
  return html`<header class="editor-bar"><p class="crumb"><a href="${link("/designer/canvases")}">${texts("desk.canvases")}</a></p>
<h1 class="visually-hidden">${name}</h1><input id="design-name" class="design-name" value="${name}" maxlength="256" aria-label="${texts("canvases.name")}" autocomplete="off"${!mayWrite && html` readonly`}>
<div class="steps">${button(visit, "undo", "canvas.undo", "↶")}${button(visit, "redo", "canvas.redo", "↷")}</div>
<p class="save-state muted" role="status" id="save-state">${!mayWrite && texts("canvas.readonly")}</p>
<div class="publish" id="publish-bar">${mayWrite && html`${button(visit, "save", "canvas.save")}<button${scripted} type="button" class="primary" id="publish">${texts("canvas.publish")}</button>`}</div></header>`;
}

function layers(visit: Visit): Html {
  const { texts } = visit;
  return html`<section class="panel layers" aria-labelledby="layers-title"><header class="bar"><h2 id="layers-title">${texts("canvas.layers")}</h2>
<select id="add" aria-label="${texts("canvas.add")}"><option value="">+ ${texts("canvas.add")}</option>${kinds.map((kind) => html`<option value="${kind}">${texts(`canvas.kind.${kind}`)}</option>`)}</select></header>
<ol id="layers"></ol><p class="hint" id="no-layers" hidden>${texts("canvas.noLayers")}</p><p class="hint" id="hidden" role="status"></p>
<div class="tools">${button(visit, "forward", "canvas.forward", "↑")}${button(visit, "back", "canvas.back", "↓")}${button(visit, "duplicate", "canvas.duplicate", "⧉")}${button(visit, "group", "canvas.group", "▣")}${button(visit, "stack", "canvas.stack", "☰")}${button(visit, "ungroup", "canvas.ungroup", "◫")}${button(visit, "remove", "canvas.remove", "✕")}</div></section>`;
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
<label class="field"><span>${texts("canvas.unit")}</span><select id="unit"><option value="px">px</option><option value="mm">mm</option></select></label></div>
<div class="sizes" id="sizes" role="group" aria-label="${texts("canvas.sizes")}"></div>
<div class="stage" id="stage" tabindex="0" role="group" aria-label="${texts("canvas.stage")}" aria-describedby="stage-hint"><div class="sheet" id="sheet"><canvas id="picture" class="pixels"></canvas><canvas id="guide" hidden></canvas><div id="boxes"></div></div></div>
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

const publishDialog = ({ texts }: Visit): Html =>
  html`<dialog id="publish-dialog" aria-labelledby="publish-title"><form method="dialog"><h2 id="publish-title">${texts("canvas.publish")}</h2><p id="publish-count"></p><ul id="publish-examples"></ul>
<div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button value="yes" id="publish-force">${texts("canvas.publish")}</button></div></form></dialog>`;

const matrix = (visit: Visit): Html =>
  html`<section class="panel matrix" aria-labelledby="matrix-title"><header class="bar"><div><h2 id="matrix-title">${visit.texts("canvas.matrix")}</h2><p class="hint">${visit.texts("canvas.matrixWhat")}</p></div>
<p class="muted" id="matrix-state" role="status"></p>${button(visit, "draw-all", "canvas.drawAll")}</header>
<ul id="matrix" tabindex="0" aria-label="${visit.texts("canvas.matrix")}"></ul><div id="all-items" hidden><p id="all-state" role="status"></p><ul id="different"></ul></div></section>`;
