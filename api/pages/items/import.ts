import type { TSchema } from "typebox";
import { ItemPatch, PropertyKey, Sic } from "../../../schemas/item.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { Bound, Bounds } from "../browser/items/check-rows.ts";
import { targets } from "../browser/items/columns.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { rowKeys } from "../layout/reason-keys.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import { en, type Key } from "../messages/en.ts";
import type { Page, Visit } from "../visit.ts";

/** A browser holds the file, its rows and the store's items in memory together. */
const limits = { bytes: 20_000_000, rows: 50_000 };

/** Imports a list of items: its script reads the file, previews the changes, and sends them through the interface. */
export const importPage: Page = {
  path: "/import",
  below: "items",
  styles: ["overview.css", "items.css"],
  scripts: ["items/import.ts"],
  async show(visit) {
    const { texts, store, link, may } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    if (!may("items:write") || !may("items:read"))
      throw new ProblemError("insufficient-scope", "An import reads and writes items.");
    const content = html`<div class="page import-page" id="import" data-base="${visit.storeBase}" data-currency="${store.currency}" data-lists="${link("/price-lists")}" data-label="${may("labels:read") && link("/labels/")}" data-limits="${JSON.stringify(limits)}" data-bounds="${JSON.stringify(bounds)}" data-texts="${scriptTexts(visit, scriptKeys)}">
<header class="title"><p class="crumb"><a href="${link("/items")}">${texts("nav.items")}</a></p><h1>${texts("import.title")}</h1></header>
<section class="card"><p>${texts("import.intro")}</p>
<label class="field"><span>${texts("import.file")}</span><input type="file" id="file" accept=".csv,.txt,text/csv" aria-describedby="limits"></label>
<p class="hint" id="limits">${texts("import.limits", { bytes: limits.bytes / 1e6, rows: limits.rows })}</p>
<noscript><p class="hint">${texts("import.noscript")}</p></noscript></section>
${columnsStep(visit)}
${checkStep(visit)}
<section class="card" id="progress" hidden aria-labelledby="progress-title"><h2 id="progress-title">${texts("import.progress")}</h2>
<div class="buttons"><progress id="bar" max="1" value="0" aria-labelledby="progress-title"></progress><button${scripted} type="button" id="stop">${texts("import.stop")}</button></div>
${listOf(visit, "failures")}</section>
<p class="said" role="status" id="said"></p>
</div>`;
    return { title: texts("import.title"), content };
  },
};

/** The columns of the file, each with its guessed meaning. */
const columnsStep = ({
  texts,
}: Visit): Html => html`<section class="card" id="columns" hidden aria-labelledby="columns-title"><h2 id="columns-title">${texts("import.columns")}</h2>
<ul class="columns" id="column-list"></ul>
<p id="columns-said" role="status"></p>
<p><button${scripted} type="button" class="primary" id="try">${texts("import.try")}</button></p>
<template id="column"><li><p><span class="name"></span><span class="values"></span></p><label class="field"><span class="visually-hidden">${texts("import.column")}</span><select>${targets.map((target) => html`<option value="${target}">${texts(`import.to.${target === "" ? "none" : target}`)}</option>`)}</select></label></li></template>
</section>`;

/** Shows what an import would change. */
function checkStep(visit: Visit): Html {
  const { texts } = visit;
  const tile = (name: "created" | "changed" | "unchanged" | "invalid" | "touched") =>
    html`<li class="tile" data-figure="${name}"><span class="figure"></span><span class="word">${texts(`import.${name}`)}</span></li>`;
  return html`<section class="card" id="check" hidden aria-labelledby="check-title"><h2 id="check-title" tabindex="-1">${texts("import.check")}</h2>
<ul class="tiles">${tile("created")}${tile("changed")}${tile("unchanged")}${tile("invalid")}${tile("touched")}</ul>
${listOf(visit, "touched")}
${listOf(visit, "faults")}
${listOf(visit, "prices")}
<label class="field when"><span>${texts("import.start")}</span><input type="datetime-local" id="start" step="60" aria-describedby="start-hint"></label><p class="hint" id="start-hint">${texts("import.startHint")}</p>
<p><button${scripted} type="button" class="primary" id="go"></button></p>
<dialog id="large" aria-labelledby="large-text"><form method="dialog"><p id="large-text"></p><label class="field" id="typing" hidden><span></span><input id="typed" inputmode="numeric" autocomplete="off"></label><div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button class="primary" value="yes">${texts("shelf.go")}</button></div></form></dialog></section>`;
}

const listOf = ({ texts }: Visit, name: "faults" | "prices" | "failures" | "touched"): Html =>
  html`<div class="list" id="${name}" hidden><h3>${texts(`import.${name}`)}</h3><ul></ul><p class="rest muted"></p></div>`;

/** The API's limits, from its schemas. */
const boundOf = (schema: TSchema): Bound => {
  const { maxLength, pattern } = schema as unknown as Bound;
  return { maxLength, pattern };
};
const { itemId, itemName, price, itemGroup, department, presentation } = ItemPatch.properties;
const properties = ItemPatch.properties.properties as unknown as { additionalProperties: TSchema };
const bounds: Bounds = {
  itemId: boundOf(itemId),
  itemName: boundOf(itemName),
  price: boundOf(price),
  itemGroup: boundOf(itemGroup),
  department: boundOf(department),
  presentation: boundOf(presentation),
  sics: boundOf(Sic),
  propertyKey: boundOf(PropertyKey),
  property: boundOf(properties.additionalProperties),
};

const scriptKeys: readonly Key[] = [
  "items.reading",
  "items.failed",
  ...(Object.keys(en) as Key[]).filter((key) => key.startsWith("import.")),
  "held.row",
  ...rowKeys,
];
