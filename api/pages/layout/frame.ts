import { type Html, html } from "../html/html.ts";
import { languages } from "../messages/texts.ts";
import type { Visit } from "../visit.ts";
import { mark } from "./marks.ts";
import { MAX_LISTED_STORES, searchButton, searchDialog } from "./search.ts";

/** The script of the search in the frame. */
export const SEARCH_SCRIPT = "search/search.ts";

/**
 * The frame of a session's page: links to the pages that the session may open, the store, the search, and the menu. A
 * page that can be opened without a network has no search.
 */
export function framed(visit: Visit, entry: string | undefined, content: Html, hasSearch: boolean): Html {
  const { texts, link, store } = visit;
  const entries = [
    ["overview", "/", true],
    ["work", "/work", visit.may("labels:read")],
    ["shelf", "/shelf", visit.may("labels:read")],
    ["aisle", "/aisle", visit.may("labels:write")],
    ["items", "/items", visit.may("items:read")],
    ["designer", "/designer", visit.mayInTenant("design:read")],
    ["stores", "/stores", visit.isOperator || visit.mayInTenant("ops")],
  ] as const;
  return html`<body>
<a class="skip" href="#main">${texts("nav.skip")}</a>
<header class="top">
<a class="brand" href="${link("/")}">${texts("brand")}</a>
<nav aria-label="${texts("nav.label")}">${entries.map(
    ([name, path, isFor]) =>
      isFor && html`<a href="${link(path)}"${name === entry && html` aria-current="page"`}>${texts(`nav.${name}`)}</a>`,
  )}</nav>
${hasSearch && searchButton(visit)}${store !== undefined && storePicker(visit)}
${menu(visit)}
</header>
${hasSearch && searchDialog(visit)}
<main id="main" tabindex="-1">${content}</main>
</body>`;
}

function storePicker({ stores, store, texts, link, toStore }: Visit): Html {
  if (stores.length < 2) return html`<p class="store">${mark("store")}<span>${store?.name}</span></p>`;
  return html`<details class="menu store"><summary>${mark("store")}<span class="visually-hidden">${texts("nav.store")}</span> ${store?.name}</summary>
<div class="sheet"><ul>${stores
    .slice(0, MAX_LISTED_STORES)
    .map(
      ({ id, name }) =>
        html`<li><a href="${toStore(id)}"${id === store?.id && html` aria-current="true"`}>${name}</a></li>`,
    )}</ul>${stores.length > MAX_LISTED_STORES && html`<p><a href="${link("/", { store: "" })}">${texts("nav.allStores", { count: stores.length })}</a></p>`}</div></details>`;
}

/** The menu: language, light and dark theme, the logged-in user, and the logout. */
function menu({ texts, language, theme, here, link, permit, may, isOperator, tenant }: Visit): Html {
  const choice = (name: string, value: string, text: string, isChosen: boolean, lang?: string) =>
    html`<button name="${name}" value="${value}" aria-pressed="${String(isChosen)}"${lang !== undefined && html` lang="${lang}"`}>${text}</button>`;
  return html`<details class="menu"><summary>${mark("person")}<span>${texts("menu.label")}</span></summary>
<div class="sheet">
<p class="who">${permit.subject ?? texts("menu.token")}</p>
<form method="post" action="${link("/preferences")}">
<input type="hidden" name="next" value="${here}">
<fieldset><legend>${texts("menu.language")}</legend><div class="choices">${Object.entries(languages).map(
    ([value, text]) => choice("language", value, text, value === language, value),
  )}</div></fieldset>
<fieldset><legend>${texts("menu.theme")}</legend><div class="choices">${(["light", "dark", "auto"] as const).map(
    (value) => choice("theme", value, texts(`menu.theme.${value}`), value === (theme ?? "auto")),
  )}</div></fieldset>
</form>
${(may("users:write") || (isOperator && tenant !== "")) && html`<a class="button" href="${link("/people", { store: "" })}">${texts("people.title")}</a>`}
<a class="button" href="${link("/account", { store: "" })}">${texts("account.title")}</a>
<a class="button" href="${link("/logout", { store: "" })}">${texts("menu.logout")}</a>
</div></details>`;
}
