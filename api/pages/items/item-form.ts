import type { Static, TSchema } from "typebox";
import { type ItemAnswer, ItemPatch, PropertyKey } from "../../../schemas/item.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { priceField, priceQuestion } from "../layout/price-field.ts";
import { rowKeys } from "../layout/reason-keys.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import type { Key } from "../messages/en.ts";
import type { Visit } from "../visit.ts";

export type ShownItem = Static<typeof ItemAnswer.L>;

/** The item's text fields, each with the key of its displayed name. */
export const textFields = {
  itemName: "item.name",
  price: "item.price",
  itemGroup: "item.group",
  department: "item.department",
  presentation: "item.presentation",
} as const satisfies Record<string, Key>;
type TextField = keyof typeof textFields;

/** Returns the name of a field; the price's name includes its currency. */
const fieldName = ({ texts, store }: Visit, field: TextField): string =>
  field === "price" && store?.currency ? texts("item.priceIn", { currency: store.currency }) : texts(textFields[field]);

/**
 * The form for an item's data, which can be changed now or at a later time. A text field cannot be cleared, because the
 * interface keeps its value.
 */
export function itemForm(visit: Visit, item: ShownItem): Html {
  const { texts, may } = visit;
  const isOpen = may("items:write");
  const inputs = (Object.keys(textFields) as TextField[]).map((field) => {
    const value = item[field];
    if (field === "price") return priceField(visit, fieldName(visit, field), value, Boolean(value));
    return html`<label class="field ${field}"><span>${fieldName(visit, field)}</span><input name="${field}" value="${value}" maxlength="${boundOf(ItemPatch.properties[field])}" autocomplete="off"${value && html` required`}></label>`;
  });
  return html`<form class="card item-form" id="form" aria-labelledby="form-title" data-zone="${zoneOf(visit, item)}" data-texts="${scriptTexts(visit, scriptKeys)}" data-names="${JSON.stringify(namesOf(visit))}">
<h2 id="form-title">${texts("item.form")}</h2>
<fieldset${!isOpen && html` disabled`}><legend class="visually-hidden">${texts("item.form")}</legend>
<div class="texts">${inputs}</div>
<label class="field"><span>${texts("item.codes")}</span><textarea name="sics" rows="${Math.max(2, Math.min(6, item.sics.length))}" aria-describedby="codes-hint" spellcheck="false">${item.sics.join("\n")}</textarea></label>
<p class="hint" id="codes-hint">${texts("item.codesHint")}</p>
<fieldset class="properties" id="properties"><legend>${texts("item.properties")}</legend>
${Object.entries(item.properties).map(([key, value]) => html`<label class="field"><span>${key}</span><input data-property="${key}" value="${value}" maxlength="4096" autocomplete="off"></label>`)}
</fieldset>
${
  isOpen &&
  html`<p class="hint">${texts("item.propertiesHint")}</p>
<p><button${scripted} type="button" id="add-property">${texts("item.addProperty")}</button></p>
<label class="field when"><span>${texts("item.when")}</span><input type="datetime-local" name="validFrom" step="60" aria-describedby="when-hint"></label>
<p class="hint" id="when-hint">${texts("item.whenHint")}</p>
<p><button${scripted} class="primary">${texts("item.save")}</button></p>`
}
</fieldset>
<div id="meanwhile" class="alert" hidden><p>${texts("item.meanwhile")}</p><ul></ul><div class="buttons"><button${scripted} type="button" id="reload">${texts("item.reload")}</button><button${scripted} type="button" id="overwrite">${texts("item.overwrite")}</button></div></div>
<p class="outcome" role="status" id="outcome"></p>
<noscript><p class="hint">${texts("item.noscript")}</p></noscript>
<template id="new-property"><div class="new-property"><label class="field"><span>${texts("item.propertyName")}</span><input data-new-key maxlength="${boundOf(PropertyKey)}" autocomplete="off"></label><label class="field"><span>${texts("item.newValue")}</span><input data-new-value maxlength="4096" autocomplete="off"></label></div></template>
</form>${priceQuestion(visit)}`;
}

/** Returns how many characters a string may have. */
const boundOf = (schema: TSchema): number | undefined => (schema as { maxLength?: number }).maxLength;

/** The store's time zone. Every reader of an item may see the time zone, since the item's dates are written in it. */
const zoneOf = ({ store }: Visit, { lastUpdated }: ShownItem): string | undefined =>
  store?.timeZone ?? /\[([\w/+-]+)\]$/.exec(lastUpdated ?? "")?.[1];

/** The names of fields, for the messages of the page's script. */
const namesOf = (visit: Visit) => ({
  ...Object.fromEntries((Object.keys(textFields) as TextField[]).map((field) => [field, fieldName(visit, field)])),
  sics: visit.texts("item.codes"),
});

const scriptKeys = [
  "item.nothing",
  "item.saving",
  "item.saved",
  "item.planned",
  "item.past",
  "item.atOnce",
  "price.kept",
  "item.cannotPlan",
  "item.failed",
  "item.refused",
  "item.savedInPart",
  "item.meanwhileRow",
  ...rowKeys,
] as const;
