import { type Html, html } from "../../html/html.ts";
import { scripted } from "../../html/scripted.ts";
import { refusalKeys } from "../../layout/reason-keys.ts";
import { scriptTexts } from "../../layout/script-texts.ts";
import type { Visit } from "../../visit.ts";

/** The form for new rules, which start as a draft. */
export const newPackForm = (visit: Visit): Html => {
  const { texts, manage, link } = visit;
  const keys = scriptTexts(visit, ["form.failed", "form.refused", ...refusalKeys]);
  return html`<details class="new-pack"><summary>${texts("rules.newPack")}</summary><form id="new-pack" data-manage="${manage}" data-page="${link("/designer/rules")}" data-texts="${keys}">
<label class="field"><span>${texts("rules.packName")}</span><input name="name" required maxlength="200" autocomplete="off"></label>
<button${scripted}>${texts("rules.create")}</button><p class="outcome" role="status"></p></form></details>`;
};
