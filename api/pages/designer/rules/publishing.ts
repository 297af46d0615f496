import { type Html, html } from "../../html/html.ts";
import type { Visit } from "../../visit.ts";

/** The dialog that shows what a publication would change, and the list of publications. */
export const publishing = ({ texts, stores }: Visit, mayWrite: boolean): Html =>
  html`${
    mayWrite &&
    html`<dialog id="publish-dialog" aria-labelledby="publish-title"><form method="dialog" id="publish-form">
<h2 id="publish-title">${texts("rules.publishTitle")}</h2>
<p id="publish-counts" role="status"></p>
<div id="publish-changes"></div>
<label class="field"><span>${texts("rules.note")}</span><input name="note" maxlength="1024" autocomplete="off"></label>
<fieldset class="when"><legend>${texts("rules.when")}</legend>
<label class="choice"><input type="radio" name="when" value="now" checked> ${texts("rules.now")}</label>
<label class="choice"><input type="radio" name="when" value="at"> ${texts("rules.later")}</label>
<label class="field at" hidden><span>${texts("rules.at")}</span><input type="datetime-local" name="at"></label></fieldset>
${
  stores.length > 1 &&
  html`<fieldset class="where"><legend>${texts("rules.where")}</legend>
<label class="choice"><input type="radio" name="where" value="all" checked> ${texts("rules.everywhere")}</label>
<label class="choice"><input type="radio" name="where" value="some"> ${texts("rules.someFirst")}</label>
<div class="stores" hidden>${stores.map(({ id, name }) => html`<label class="check"><input type="checkbox" name="stores" value="${id}"> ${name}</label>`)}</div></fieldset>`
}
<p class="alert" id="publish-refused" hidden></p>
<label class="check" id="force" hidden><input type="checkbox" name="force"> ${texts("rules.force")}</label>
<div class="buttons"><button type="button" id="publish-cancel">${texts("cancel")}</button><button type="button" class="primary" id="publish-go">${texts("rules.publishGo")}</button></div>
</form></dialog>`
  }
<section class="card" id="publications" aria-labelledby="publications-title" hidden><h2 id="publications-title">${texts("rules.publications")}</h2><ul id="publication-list"></ul><p class="hint" id="publication-outcome" role="status"></p></section>`;
