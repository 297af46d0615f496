import { entityTag } from "../../http/entity-tag.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { refusalKeys } from "../layout/reason-keys.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import type { Visit } from "../visit.ts";

/** A form that is saved with PUT. */
interface ResourceForm {
  /** The list that the resource belongs to, below the tenant's interface, such as `/stores`. */
  list: string;
  /** The resource's id; absent if it is new. */
  id?: string;
  /** The API response that the form shows; saving fails if it is no longer current. */
  shown?: object;
  /** Fields that the form does not show and a save preserves. */
  kept?: object;
  fields: Html;
  isOpen: boolean;
  /** The button's text and the explanation for removing it. */
  remove?: readonly [string, string];
}

/** A form for a resource of the management interface; the page's script makes the call. */
export function resourceForm(visit: Visit, { list, id, shown, kept, fields, isOpen, remove }: ResourceForm): Html {
  const { texts, manage, link } = visit;
  return html`<form class="card resource-form" id="resource" data-list="${manage}${list}" data-id="${id}" data-tag="${shown && entityTag(JSON.stringify(shown))}" data-kept="${kept && JSON.stringify(kept)}" data-back="${link("/stores", { store: "" })}" data-texts="${scriptTexts(visit, scriptKeys)}">
<fieldset${!isOpen && html` disabled`}>${fields}
${isOpen && html`<div class="buttons"><button${scripted} class="primary">${texts("form.save")}</button></div>`}</fieldset>
<p class="outcome" role="status" id="outcome"></p>
<div class="alert once" id="once" hidden><p>${texts("form.once")}</p><code></code></div>
<noscript><p class="hint">${texts("form.noscript")}</p></noscript>
</form>
${
  isOpen &&
  id !== undefined &&
  remove &&
  html`<section class="removal"><p><button${scripted} type="button" class="danger" id="remove">${remove[0]}</button></p><p class="hint" id="remove-what">${remove[1]}</p>
<p class="outcome" role="status" id="remove-outcome"></p>
<dialog id="remove-dialog" aria-labelledby="remove-title"><form method="dialog"><h2 id="remove-title">${texts("form.sure")}</h2><p>${remove[1]}</p><div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button class="danger" value="yes">${remove[0]}</button></div></form></dialog></section>`
}`;
}

const scriptKeys = [
  "form.saving",
  "form.saved",
  "form.failed",
  "form.refused",
  "form.changed",
  "form.taken",
  ...refusalKeys,
] as const;

/** A required text field in a form, with additional attributes for its input. */
export const textField = (
  name: string,
  label: string,
  value: string | undefined,
  attributes: Readonly<Record<string, string>> = {},
): Html =>
  html`<label class="field"><span>${label}</span><input name="${name}" value="${value}" required autocomplete="off" spellcheck="false"${Object.entries(attributes).map(([key, text]) => html` ${key}="${text}"`)}></label>`;

/** The frame of a page about one resource: a link back, its name, and its content. */
export const onePage = ({ texts, link }: Visit, title: string, content: Html): Html =>
  html`<div class="page one-page"><header class="title"><p class="crumb"><a href="${link("/stores")}">${texts("nav.stores")}</a></p><h1>${title}</h1></header>
${content}</div>`;
