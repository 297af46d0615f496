import { MAX_CAMPAIGN_ITEMS } from "../../../schemas/campaign.ts";
import type { CampaignAnswer } from "../../../schemas/campaign-answers.ts";
import { createDateText } from "../../http/date-text.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import type { Visit } from "../visit.ts";

const DAY_MS = 86_400_000;
const SATURDAY = 6;

/**
 * The form for a draft, filled with its values. A new campaign begins tomorrow at six, and ends at eight in the evening
 * on the first Saturday from then.
 */
export function campaignForm(visit: Visit, draft: CampaignAnswer | undefined): Html {
  const { texts } = visit;
  const { from, until } = draft ?? usualTimes(visit);
  const [property = "", value = ""] = Object.entries(draft?.properties ?? {})[0] ?? [];
  return html`<form id="campaign-form" class="campaign-form">
<label class="field"><span>${texts("campaigns.name")}</span><input name="name" required maxlength="128" autocomplete="off" value="${draft?.name ?? ""}"></label>
<div class="pair"><label class="field"><span>${texts("campaigns.from")}</span><input type="datetime-local" name="from" step="60" aria-describedby="from-hint" value="${inputTime(from)}"></label>
<label class="field"><span>${texts("campaigns.until")}</span><input type="datetime-local" name="until" step="60" required value="${inputTime(until)}"></label></div>
<p class="hint" id="from-hint">${texts("campaigns.fromHint")}</p>
<label class="field"><span>${texts("campaigns.list")}</span><textarea name="items" rows="8" spellcheck="false" aria-describedby="list-hint">${listText(draft)}</textarea></label>
<p class="hint" id="list-hint">${texts("campaigns.listHint", { most: MAX_CAMPAIGN_ITEMS })}</p>
<label class="field"><span>${texts("campaigns.file")}</span><input type="file" name="file" accept=".csv,.txt,text/csv"></label>
${filterFields(visit, draft)}
${priceFields(visit, draft)}
<details${draft && (property !== "" || draft.designId !== null) ? html` open` : ""}><summary>${texts("campaigns.more")}</summary>
<div class="pair"><label class="field"><span>${texts("campaigns.property")}</span><input name="property" maxlength="128" autocomplete="off" value="${property}"></label>
<label class="field"><span>${texts("campaigns.value")}</span><input name="value" maxlength="1024" autocomplete="off" value="${value}"></label></div>
<label class="field"><span>${texts("campaigns.design")}</span><input name="designId" maxlength="256" autocomplete="off" value="${draft?.designId?.split("/").at(-1) ?? ""}"></label></details>
${storeFields(visit, draft)}
<div class="buttons"><button${scripted} class="primary">${texts("campaigns.preview")}</button></div>
</form>`;
}

function filterFields({ texts }: Visit, draft: CampaignAnswer | undefined): Html {
  const { itemGroup = "", department = "" } = draft?.filter ?? {};
  return html`<details${itemGroup || department ? html` open` : ""}><summary>${texts("campaigns.filter")}</summary><div class="pair">
<label class="field"><span>${texts("campaigns.group")}</span><input name="itemGroup" maxlength="128" autocomplete="off" value="${itemGroup}"></label>
<label class="field"><span>${texts("campaigns.department")}</span><input name="department" maxlength="128" autocomplete="off" value="${department}"></label></div></details>`;
}

function priceFields({ texts }: Visit, draft: CampaignAnswer | undefined): Html {
  const { fixed, percent, property, ending = "" } = draft?.prices ?? {};
  const rule = fixed ? "fixed" : property ? "property" : percent === undefined && draft ? "none" : "percent";
  const option = (name: "percent" | "fixed" | "property" | "none") =>
    html`<option value="${name}"${name === rule ? html` selected` : ""}>${texts(`campaigns.rule.${name}`)}</option>`;
  return html`<div class="pair"><label class="field"><span>${texts("campaigns.rule")}</span><select name="rule">${option("percent")}${option("fixed")}${option("property")}${option("none")}</select></label>
<label class="field"><span>${texts("campaigns.amount")}</span><input name="amount" inputmode="decimal" maxlength="128" autocomplete="off" value="${fixed ?? property ?? percent ?? ""}"></label>
<label class="field"><span>${texts("campaigns.ending")}</span><input name="ending" inputmode="numeric" pattern="[0-9]{1,3}" maxlength="3" autocomplete="off" value="${ending}"></label></div>`;
}

function storeFields({ texts, stores, store }: Visit, draft: CampaignAnswer | undefined): Html {
  const chosen = new Set(draft?.storeIds ?? [store?.id]);
  if (stores.length < 2) return html``;
  return html`<fieldset class="stores"><legend>${texts("campaigns.inStores")}</legend>${stores.map(({ id, name }) => html`<label class="check"><input type="checkbox" name="store" value="${id}"${chosen.has(id) ? html` checked` : ""}><span>${name}</span></label>`)}</fieldset>`;
}

const listText = (draft: CampaignAnswer | undefined): string =>
  (draft?.items ?? []).map(({ itemId, price }) => (price === undefined ? itemId : `${itemId};${price}`)).join("\n");

const inputTime = (local: string | null): string => (local ?? "").replace(" ", "T").slice(0, 16);

function usualTimes({ store, now }: Visit): { from: string; until: string } {
  const today = createDateText(store?.timeZone ?? "UTC", false)(now).slice(0, 10);
  const tomorrow = new Date(Date.parse(`${today}T00:00:00Z`) + DAY_MS);
  const last = new Date(tomorrow.getTime() + ((SATURDAY - tomorrow.getUTCDay() + 7) % 7) * DAY_MS);
  const dayOf = (date: Date) => date.toISOString().slice(0, 10);
  return { from: `${dayOf(tomorrow)} 06:00:00`, until: `${dayOf(last)} 20:00:00` };
}
