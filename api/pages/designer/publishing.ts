import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { refusalKeys } from "../layout/reason-keys.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import { publishing as messages } from "../messages/designer/publishing/en.ts";
import type { Key } from "../messages/en.ts";
import type { Visit } from "../visit.ts";

const scriptKeys: readonly Key[] = [
  ...(Object.keys(messages) as (keyof typeof messages)[]),
  "form.failed",
  "person.token",
  ...refusalKeys,
];

/** The list of publications for a page, and the data that its publishing script needs. */
export function publications(visit: Visit): Html {
  const { texts, manage, stores } = visit;
  const names = JSON.stringify(stores.map(({ id, name }) => ({ id, name })));
  return html`<section class="card" id="publications" aria-labelledby="publications-title" data-manage="${manage}" data-may-write="${String(visit.mayInTenant("design:write"))}" data-stores="${names}" data-texts="${scriptTexts(visit, scriptKeys)}" hidden><h2 id="publications-title">${texts("publishing.list")}</h2><ul id="publication-list"></ul><p class="hint" id="publication-outcome" role="status"></p></section>`;
}

/** The button that opens the dialog with the versions. */
export const versionsButton = ({ texts }: Visit): Html =>
  html`<button${scripted} type="button" id="versions">${texts("publishing.versions")}</button>`;

/** The dialog that shows what a publication would change, and asks when and where it takes effect. */
export const publishDialog = ({ texts, stores }: Visit): Html =>
  html`<dialog id="publish-dialog" class="publishing" aria-labelledby="publish-title"><form method="dialog" id="publish-form">
<h2 id="publish-title">${texts("publishing.title")}</h2>
<p id="publish-counts" role="status"></p>
<div id="publish-changes"></div>
<div id="publish-pictures"></div>
<ul id="publish-examples" class="muted"></ul>
<label class="field"><span>${texts("publishing.note")}</span><input name="note" maxlength="1024" autocomplete="off"></label>
<fieldset class="when"><legend>${texts("publishing.when")}</legend>
<label class="choice"><input type="radio" name="when" value="now" checked> ${texts("publishing.now")}</label>
<label class="choice"><input type="radio" name="when" value="at"> ${texts("publishing.later")}</label>
<label class="field at" hidden><span>${texts("publishing.at")}</span><input type="datetime-local" name="at"></label></fieldset>
${
  stores.length > 1 &&
  html`<fieldset class="where"><legend>${texts("publishing.where")}</legend>
<label class="choice"><input type="radio" name="where" value="all" checked> ${texts("publishing.everywhere")}</label>
<label class="choice"><input type="radio" name="where" value="some"> ${texts("publishing.someFirst")}</label>
<div class="stores" hidden>${stores.map(({ id, name }) => html`<label class="check"><input type="checkbox" name="stores" value="${id}"> ${name}</label>`)}</div></fieldset>`
}
<p class="alert" id="publish-refused" hidden></p>
<label class="check" id="force" hidden><input type="checkbox" name="force"> ${texts("publishing.force")}</label>
<div class="buttons"><button type="button" id="publish-cancel">${texts("cancel")}</button><button type="button" class="primary" id="publish-go">${texts("publishing.go")}</button></div>
</form></dialog>`;

/** The dialog with the versions; a page without room for the list of publications shows it here. */
export const versionsDialog = ({ texts }: Visit, above?: Html): Html =>
  html`<dialog id="versions-dialog" class="publishing" aria-labelledby="versions-title"><form method="dialog">${above}<h2 id="versions-title">${texts("publishing.versions")}</h2><ul id="versions-list"></ul>
<p class="hint" id="versions-outcome" role="status"></p><div class="buttons"><button value="no">${texts("publishing.close")}</button></div></form></dialog>`;
