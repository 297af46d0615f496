import type { LinkDepartment, QuietHours } from "../../../schemas/store.ts";
import type { ShownLabelServer } from "../../installation/label-servers.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import type { Page, Visit } from "../visit.ts";
import { onePage, resourceForm, textField } from "./resource-form.ts";
import { readOfTenant, type ShownStore } from "./stores.ts";

const common = {
  below: "stores",
  styles: ["label.css", "items.css", "stores.css"],
  scripts: ["stores/save-resource.ts"],
} as const;

/** One store: its location, currency and transceivers. */
export const storePage: Page = {
  ...common,
  path: "/stores/:storeId",
  nothing: "problem.noEntry",
  async show(visit) {
    const store = await readOfTenant<ShownStore>(visit, "getStore", { storeId: visit.params.storeId ?? "" });
    return { title: store.name, content: onePage(visit, store.name, await form(visit, store)) };
  },
};

/** A new store. */
export const newStorePage: Page = {
  ...common,
  path: "/new/store",
  async show(visit) {
    // Rejected for visitors who may not see the stores.
    await readOfTenant(visit, "listStores");
    const title = visit.texts("stores.new");
    return { title, content: onePage(visit, title, await form(visit, undefined)) };
  },
};

async function form(visit: Visit, store: ShownStore | undefined): Promise<Html> {
  const { texts, isOperator, mayWrite } = visit;
  const servers = isOperator ? await readOfTenant<ShownLabelServer[]>(visit, "listLabelServers") : undefined;
  const { storeId, parameters, labelServer, priorPrice } = store ?? {};
  const fields = html`${
    storeId === undefined &&
    html`${textField("id", texts("store.id"), undefined, { pattern: "[A-Za-z0-9_\\-]{1,64}", "aria-describedby": "id-hint" })}<p class="hint" id="id-hint">${texts("store.idHint")}</p>`
  }
${textField("name", texts("store.name"), store?.name, { maxlength: "256" })}
<div class="texts">${textField("timeZone", texts("store.zone"), store?.timeZone, { list: "zones" })}
${textField("currency", texts("store.currency"), store?.currency, { pattern: "[A-Z]{3}", maxlength: "3" })}
${textField("locale", texts("store.locale"), store?.locale, { maxlength: "64", "aria-describedby": "locale-hint" })}</div>
<p class="hint" id="locale-hint">${texts("store.localeHint")}</p>
<datalist id="zones">${store === undefined && Intl.supportedValuesOf("timeZone").map((zone) => html`<option value="${zone}"></option>`)}</datalist>
<label class="field"><span>${texts("store.country")}</span><input name="country" value="${store?.country}" pattern="[A-Z]{2}" maxlength="2" autocomplete="off" spellcheck="false" aria-describedby="country-hint"></label>
<p class="hint" id="country-hint">${texts("store.countryHint")}</p>
${serverField(visit, servers, "store", labelServer)}
${quietHoursFields(visit, store?.quietHours)}
<fieldset class="departments"><legend>${texts("store.departments")}</legend><div id="departments">${(store?.linkDepartments ?? []).map((one) => department(visit, one, servers))}</div>
<p class="hint">${texts("store.departmentsHint")}</p>
${mayWrite && html`<p><button${scripted} type="button" id="add-department">${texts("store.addDepartment")}</button></p>`}<template id="department">${department(visit, undefined, servers)}</template></fieldset>`;
  return resourceForm(visit, {
    list: "/stores",
    ...(storeId !== undefined && { id: storeId }),
    ...(store && { shown: store, kept: { ...(parameters && { parameters }), ...(priorPrice && { priorPrice }) } }),
    fields,
    isOpen: mayWrite,
    remove: [texts("store.remove"), texts("store.removeWhat")],
  });
}

/** Returns a menu of label servers for an operator, and for anybody else a hidden field that keeps the stored id. */
function serverField(
  { texts }: Visit,
  servers: readonly ShownLabelServer[] | undefined,
  of: "store" | "department",
  present = "",
): Html {
  const isOfStore = of === "store";
  if (servers === undefined)
    return isOfStore
      ? html`<input type="hidden" name="labelServer" value="${present}">`
      : html`<input type="hidden" data-part="labelServer" value="${present}">`;
  const ids = [...new Set([...servers.map(({ labelServerId }) => labelServerId), present])].filter(Boolean);
  const select = isOfStore ? html`<select name="labelServer">` : html`<select data-part="labelServer">`;
  const none = texts(isOfStore ? "store.serverNone" : "store.serverOfStore");
  return html`<label class="field"><span>${texts("store.server")}</span>${select}<option value="">${none}</option>${ids.map((id) => html`<option value="${id}"${id === present && html` selected`}>${id}</option>`)}</select></label>`;
}

const quietHoursFields = ({ texts }: Visit, hours: QuietHours | undefined): Html =>
  html`<fieldset id="quiet-hours"><legend>${texts("store.quiet")}</legend><div class="texts"><label class="field"><span>${texts("store.quietFrom")}</span><input type="time" data-part="from" value="${hours?.from}"></label><label class="field"><span>${texts("store.quietTo")}</span><input type="time" data-part="to" value="${hours?.to}"></label></div>
<p class="hint">${texts("store.quietHint")}</p></fieldset>`;

function department(
  visit: Visit,
  one: LinkDepartment | undefined,
  servers: readonly ShownLabelServer[] | undefined,
): Html {
  const { texts } = visit;
  const server = serverField(visit, servers, "department", one?.labelServer);
  return html`<div class="department"><label class="field"><span>${texts("store.department")}</span><input data-part="id" value="${one?.id}" maxlength="128" autocomplete="off"></label><label class="field"><span>${texts("store.alias")}</span><input data-part="alias" value="${one?.alias}" maxlength="128" autocomplete="off"></label><label class="field"><span>${texts("store.transceivers")}</span><input data-part="transceivers" value="${one?.transceivers.join(", ")}" autocomplete="off"></label>${server}</div>`;
}
