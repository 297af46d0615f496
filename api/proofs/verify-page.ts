import { hash } from "node:crypto";
import { ownOriginPolicy } from "../http/own-origin-policy.ts";
import { bundle } from "../pages/bundles.ts";
import { Html, html } from "../pages/html/html.ts";
import { proofs as english } from "../pages/messages/proofs/en.ts";
import { languages, messages } from "../pages/messages/texts.ts";
import type { ProofKeys } from "./proof-keys.ts";

export const KEYS_PATH = "/api/proofs/keys.json";

/** The response's policy, by which no other site may frame the page; the page's own policy restricts it further. */
export const VERIFY_POLICY = ownOriginPolicy({
  "script-src": "'unsafe-inline'",
  "style-src": "'unsafe-inline'",
  "connect-src": "'none'",
  "img-src": "data:",
});

const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 44rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere; }
nav { display: flex; gap: 0.5rem; justify-content: end; }
button, input { font: inherit; min-height: 2.75rem; }
button[aria-pressed="true"] { font-weight: 700; }
label { display: grid; gap: 0.25rem; margin: 1rem 0; }
#outcome { font-size: 1.125rem; font-weight: 600; }
#outcome[data-is="valid"] { color: light-dark(#17614f, #74cdb4); }
#outcome[data-is="refused"] { color: light-dark(#b02318, #ffa096); }
dl { display: grid; grid-template-columns: minmax(8rem, 1fr) 2fr; gap: 0.375rem 1rem; }
dd { margin: 0; white-space: pre-line; }
img { max-width: 100%; image-rendering: pixelated; box-shadow: 0 0 0 1px #8888; }
@page { size: A4; margin: 18mm; }
@media print { nav, label { display: none; } }`;

const script = new URL("../pages/browser/proofs/verify.ts", import.meta.url);

/**
 * Creates the page that verifies proofs, as one document that loads nothing and works from a disk. It contains the
 * messages in each language and this installation's public keys.
 */
export async function verifyPage({ published }: Pick<ProofKeys, "published">): Promise<string> {
  const keys = Object.keys(english) as (keyof typeof english)[];
  const names = Object.keys(languages) as (keyof typeof languages)[];
  const texts = names.map((name) => [
    name,
    Object.fromEntries(keys.map((key) => [key, String(messages[name][key]).replace("{address}", KEYS_PATH)])),
  ]);
  const data = JSON.stringify({ texts: Object.fromEntries(texts), keys: published.keys });
  const source = await bundle(script);
  return `<!doctype html>
${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policyOf(source)}">
<title>${english["proof.verify"]}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<nav>${names.map((name) => html`<button type="button" data-language="${name}" lang="${name}">${languages[name]}</button>`)}</nav>
<main>
<h1 data-text="proof.verify"></h1>
<p data-text="verify.intro"></p>
<label><span data-text="verify.proof"></span><input type="file" id="proof" accept=".json,.jws,.txt"></label>
<label><span data-text="verify.keys"></span><input type="file" id="keys" accept=".json"></label>
<p id="own-keys" data-text="verify.ownKeys" hidden></p>
<p id="outcome" role="status"></p>
<dl id="facts"></dl>
<p><img id="picture" alt="" hidden></p>
</main>
<script type="application/json" id="data">${new Html(inScript(data))}</script>
<script type="module">${new Html(source)}</script>
</body>
</html>`}
`;
}

/** Escapes text that would end the element. */
const inScript = (json: string): string => json.replaceAll("<", "\\u003c");

/** The policy of the page: it runs its own script and loads nothing, no matter who serves it. */
const policyOf = (source: string): string =>
  Object.entries({
    "default-src": "'none'",
    "script-src": `'sha256-${hash("sha256", source, "base64")}'`,
    "style-src": `'sha256-${hash("sha256", style, "base64")}'`,
    "img-src": "data:",
    "base-uri": "'none'",
    "form-action": "'none'",
  })
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ");
