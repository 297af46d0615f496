import { type Html, html } from "../html/html.ts";
import type { Language, Texts } from "../messages/texts.ts";

/** The parts of every document, with and without a session. */
export interface Appearance {
  texts: Texts;
  language: Language;
  theme: "light" | "dark" | undefined;
  asset(name: string): string;
}

/** A complete document. Scripts and styles are never inline, because the policy forbids this. */
export function documentOf(
  { texts, language, theme, asset }: Appearance,
  title: string,
  body: Html,
  {
    styles = [],
    scripts = [],
    manifest,
    goesOnTo,
  }: { styles?: readonly string[]; scripts?: readonly string[]; manifest?: string; goesOnTo?: string } = {},
): string {
  return `<!doctype html>
${html`<html lang="${language}"${theme !== undefined && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${goesOnTo !== undefined && html`<meta http-equiv="refresh" content="0; url=${goesOnTo}">`}<meta name="color-scheme" content="${theme ?? "light dark"}">
<title>${title} – ${texts("brand")}</title>
<link rel="icon" href="data:,">${manifest !== undefined && html`<link rel="manifest" href="${asset(manifest)}" crossorigin="use-credentials">`}
${["base.css", ...styles].map((name) => html`<link rel="stylesheet" href="${asset(name)}">`)}
${scripts.map((name) => html`<script type="module" src="${asset(name)}"></script>`)}
</head>
${body}
</html>`}
`;
}

/** A page of this origin that forwards to an address automatically. A redirect would count as part of the page before it. */
export const goOnPage = (appearance: Appearance, address: string): string =>
  documentOf(
    appearance,
    appearance.texts("login.title"),
    html`<body><main class="page narrow login"><div class="card"><p><a href="${address}">${appearance.texts("login.goOn")}</a></p></div></main></body>`,
    { goesOnTo: address },
  );
