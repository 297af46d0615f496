import { type Role, roleNames } from "../../../schemas/role.ts";
import { scopes } from "../../../schemas/token.ts";
import type { ShownApiUser } from "../../installation/api-users.ts";
import { type Html, html } from "../html/html.ts";
import type { Page, Visit } from "../visit.ts";
import { onePage, resourceForm, textField } from "./resource-form.ts";
import { readOfTenant, type ShownStore } from "./stores.ts";

const common = {
  below: "stores",
  styles: ["label.css", "items.css", "stores.css"],
  scripts: ["stores/save-resource.ts"],
} as const;

/** One API user: a person or a till, its stores and its rights. */
export const userPage: Page = {
  ...common,
  path: "/users/:userName",
  nothing: "problem.noEntry",
  async show(visit) {
    const user = await readOfTenant<ShownApiUser>(visit, "getUser", { userName: visit.params.userName ?? "" });
    return { title: user.name, content: onePage(visit, user.name, await form(visit, user)) };
  },
};

/** A new user. */
export const newUserPage: Page = {
  ...common,
  path: "/new/user",
  async show(visit) {
    const title = visit.texts("users.new");
    return { title, content: onePage(visit, title, await form(visit, undefined)) };
  },
};

/** The choice of a role, with what each role may do. Without a role, individual permissions apply. */
function roleField({ texts }: Visit, chosen: Role | undefined): Html {
  const option = (value: string, text: string) =>
    html`<option value="${value}"${value === (chosen ?? "") && html` selected`}>${text}</option>`;
  return html`<label class="field">${texts("user.role")}<select name="role">${option("", texts("user.roleNone"))}${roleNames.map((role) => option(role, texts(`role.${role}`)))}</select></label>
<ul class="hint roles">${roleNames.map((role) => html`<li><strong>${texts(`role.${role}`)}</strong>: ${texts(`role.${role}.may`)}</li>`)}</ul>`;
}

async function form(visit: Visit, user: ShownApiUser | undefined): Promise<Html> {
  const { texts } = visit;
  // Rejected for everyone except the operator, since only the operator may save.
  const stores = await readOfTenant<ShownStore[]>(visit, "listStores");
  await readOfTenant(visit, "listUsers");
  const granted = user?.scope === "*" ? [...scopes] : (user?.scope.split(" ") ?? []);
  const box = (name: string, value: string, text: string, isChecked: boolean) =>
    html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}><span>${text}</span></label>`;
  const has = (storeId: string) => user !== undefined && user.stores !== "*" && user.stores.includes(storeId);
  const fields = html`${
    user === undefined &&
    html`${textField("id", texts("user.name"), undefined, { pattern: "[A-Za-z0-9_.@\\-]{1,64}" })}<p class="hint">${texts("user.password")}</p>`
  }
<fieldset class="boxes"><legend>${texts("user.stores")}</legend>${box("allStores", "*", texts("user.allStores"), user?.stores === "*")}${stores.map(({ storeId, name }) => box("stores", storeId, name, has(storeId)))}</fieldset>
${roleField(visit, user?.role)}
<details${user !== undefined && user.role === undefined && html` open`}><summary>${texts("user.advanced")}</summary><fieldset class="boxes"><legend>${texts("user.rights")}</legend>${scopes.map((scope) => box("scopes", scope, texts(`right.${scope}`), granted.includes(scope)))}</fieldset></details>
${user !== undefined && html`<fieldset class="boxes"><legend>${texts("login.password")}</legend>${box("renewPassword", "yes", texts("user.renew"), false)}<p class="hint">${texts("user.renewWhat")}</p></fieldset>`}`;
  return resourceForm(visit, {
    list: "/users",
    ...(user && { id: user.name, shown: user }),
    fields,
    isOpen: visit.isOperator,
    remove: [texts("user.remove"), texts("user.removeWhat")],
  });
}
