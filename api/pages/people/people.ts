import { isWithin } from "../../../domain/access/may-grant.ts";
import type { Person } from "../../../schemas/person.ts";
import { roleNames, scopesOfRole } from "../../../schemas/role.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { refusalKeys } from "../layout/reason-keys.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import { instantText } from "../layout/time-text.ts";
import { readOfTenant, type ShownStore } from "../stores/stores.ts";
import type { Page, StoreChoice, Visit } from "../visit.ts";

/** A retailer's people: who has access to which stores, and a form to invite one more. */
export const peoplePage: Page = {
  path: "/people",
  below: "stores",
  styles: ["items.css", "stores.css", "people.css"],
  scripts: ["people/people.ts"],
  async show(visit) {
    const { texts, may, isOperator, tenant } = visit;
    if (!may("users:write") && !(isOperator && tenant !== ""))
      throw new ProblemError("insufficient-scope", "People are invited with users:write.");
    const people = await readOfTenant<Person[]>(visit, "listPeople");
    const list = people.toSorted((one, other) => one.userName.localeCompare(other.userName, visit.language));
    const content = html`<div class="page stores-page" id="people" data-list="${visit.manage}/people" data-origin-path="${visit.basePath}" data-texts="${scriptTexts(visit, scriptKeys)}">
<section class="card list-card" aria-labelledby="people-title"><h1 id="people-title">${texts("people.title")}</h1>
${list.length === 0 ? html`<p>${texts("users.none")}</p>` : html`<ul class="entries">${list.map((person) => row(visit, person))}</ul>`}
<p class="outcome" role="status" id="outcome"></p></section>
${await inviteForm(visit)}
<dialog id="sure" aria-labelledby="sure-title"><form method="dialog"><h2 id="sure-title">${texts("form.sure")}</h2><p><strong></strong></p><p></p><div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button class="danger" value="yes">${texts("people.yes")}</button></div></form></dialog>
</div>`;
    return { title: texts("people.title"), content };
  },
};

function row(visit: Visit, { userName, stores, role, lastSeen, invitedUntil, hasPassword }: Person): Html {
  const { texts, language, store } = visit;
  const time = (iso: string) => instantText(iso, language, store?.timeZone);
  const where = stores === "*" ? texts("user.allStores") : texts("user.storeCount", { count: stores.length });
  const what = role === null ? texts("user.roleNone") : texts(`role.${role}`);
  const act = (action: string, text: string) =>
    html`<button${scripted} type="button" data-act="${action}" data-name="${userName}">${text}<span class="visually-hidden"> ${userName}</span></button>`;
  return html`<li><div class="entry"><span class="name">${userName}</span><span class="muted">${what} · ${where}</span><span class="muted">${
    lastSeen === null ? texts("people.neverSeen") : texts("people.seen", { time: time(lastSeen) })
  }${invitedUntil !== null && html`<br>${texts("people.invited", { time: time(invitedUntil) })}`}</span></div><div class="acts">${hasPassword && act("sessions", texts("people.logOut"))}${act("remove", texts("user.remove"))}</div></li>`;
}

/** The form for an invitation; it offers only roles and stores that the visitor has. */
async function inviteForm(visit: Visit): Promise<Html> {
  const { texts, permit, isOperator } = visit;
  const stores = await storesOf(visit);
  const roles = roleNames.filter(
    (role) => isOperator || isWithin({ stores: new Set(), scopes: new Set(scopesOfRole(role)) }, permit),
  );
  const box = (name: string, value: string, text: string) =>
    html`<label class="check"><input type="checkbox" name="${name}" value="${value}"><span>${text}</span></label>`;
  return html`<form class="card resource-form" id="invite" aria-labelledby="invite-title"><h2 id="invite-title">${texts("people.invite")}</h2>
<fieldset>
<label class="field"><span>${texts("user.name")}</span><input name="userName" required pattern="[A-Za-z0-9_.@\\-]{1,64}" autocomplete="off" spellcheck="false"></label>
<label class="field"><span>${texts("user.role")}</span><select name="role" required><option value="">${texts("user.roleChoose")}</option>${roles.map((role) => html`<option value="${role}">${texts(`role.${role}`)}</option>`)}</select></label>
<ul class="hint roles">${roles.map((role) => html`<li><strong>${texts(`role.${role}`)}</strong>: ${texts(`role.${role}.may`)}</li>`)}</ul>
<fieldset class="boxes"><legend>${texts("user.stores")}</legend>${(isOperator || permit.stores === "*") && box("allStores", "*", texts("user.allStores"))}${stores.map(({ id, name }) => box("stores", id, name))}</fieldset>
<div class="buttons"><button${scripted} class="primary">${texts("people.makeLink")}</button></div></fieldset>
<p class="outcome" role="status" id="invite-outcome"></p>
<div class="alert once" id="invitation" hidden><p>${texts("people.linkWhat")}</p><code></code><canvas role="img" aria-label="${texts("people.qr")}"></canvas></div>
<noscript><p class="hint">${texts("form.noscript")}</p></noscript>
</form>`;
}

async function storesOf(visit: Visit): Promise<readonly StoreChoice[]> {
  if (!visit.isOperator) return visit.stores;
  const found = await readOfTenant<ShownStore[]>(visit, "listStores");
  return found.map(({ storeId, name }) => ({ id: storeId, name }));
}

const scriptKeys = [
  "form.saving",
  "form.failed",
  "form.refused",
  "people.chooseStore",
  "people.madeLink",
  "people.sureSessions",
  "user.removeWhat",
  ...refusalKeys,
] as const;
