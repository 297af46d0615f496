import { type Html, html } from "../pages/html/html.ts";
import { type Appearance, documentOf } from "../pages/layout/document.ts";

/**
 * The page with fields for a name and password, or a token, and with a link to the identity provider, if there is one.
 * `message` says why a login failed, or why another one is needed.
 */
export const loginPage = (
  appearance: Appearance,
  action: string,
  next: string,
  message?: string,
  way?: { name: string; path: string },
): string => {
  const { texts } = appearance;
  return small(
    appearance,
    texts("login.title"),
    html`${message !== undefined && html`<p class="alert" role="alert">${message}</p>`}${way !== undefined && html`<p><a class="button primary" href="${way.path}?next=${encodeURIComponent(next)}">${texts("login.provider", { name: way.name })}</a></p><hr>`}
<form method="post" action="${action}">
<input type="hidden" name="next" value="${next}">
<label class="field">${texts("login.name")}<input name="name" autocomplete="username" autocapitalize="none" autofocus></label>
<label class="field">${texts("login.password")}<input name="password" type="password" autocomplete="current-password"></label>
<hr>
<label class="field">${texts("login.token")}<input name="token" type="password" autocomplete="off"></label>
<button class="primary">${texts("login.go")}</button>
</form>`,
  );
};

/** The page on which a logout is confirmed, because opening a link must not end a session. */
export const logoutPage = (appearance: Appearance, action: string, name: string): string => {
  const { texts } = appearance;
  return small(
    appearance,
    texts("menu.logout"),
    html`<p>${texts("login.loggedIn", { name })}</p>
<form method="post" action="${action}"><button class="primary">${texts("menu.logout")}</button></form>`,
  );
};

/** A page with one card. */
export const small = (
  appearance: Appearance,
  title: string,
  content: Html,
  parts?: { scripts: readonly string[] },
): string =>
  documentOf(
    appearance,
    title,
    html`<body><main class="page narrow login"><h1>${appearance.texts("brand")}</h1><div class="card">${content}</div></main></body>`,
    parts,
  );
