import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { mark } from "../layout/marks.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import { en, type Key } from "../messages/en.ts";
import type { Page, Visit } from "../visit.ts";

const modes = ["link", "find", "check", "replace", "unlink"] as const;

/** Linking, unlinking and finding labels with a phone or a scanner; the page's script sends what is scanned. */
export const aisle: Page = {
  path: "/aisle",
  entry: "aisle",
  styles: ["aisle.css"],
  scripts: ["aisle/aisle.ts"],
  manifest: "manifest.webmanifest",
  async show(visit) {
    const { texts, store, permit, storeBase } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    if (!visit.may("labels:write")) throw new ProblemError("insufficient-scope", "Linking needs labels:write.");
    const content = html`<div class="aisle" id="aisle" data-base="${storeBase}" data-who="${permit.subject}" data-reads="${String(visit.may("labels:read"))}" data-marks="${marks}" data-texts="${scriptTexts(visit, keys)}">
<h1 class="visually-hidden">${texts("nav.aisle")}</h1>
<div class="eye">
<noscript><p class="alert">${texts("aisle.noscript")}</p></noscript>
<p class="notice" id="offline" role="status" hidden>${mark("OFFLINE")}<span>${texts("aisle.offline")}</span></p>
<p class="notice" id="logged-out" role="status" hidden>${mark("ERROR")}<span>${texts("aisle.loggedOut")} <a href="${visit.here}">${texts("login.go")}</a></span></p>
<div class="seen" id="seen" hidden><video muted playsinline aria-label="${texts("aisle.camera")}"></video></div>
${card(visit)}
<section class="outbox" id="outbox" hidden aria-labelledby="waiting"><h2 id="waiting"></h2><ul id="entries"></ul></section>
</div>
${hand(visit)}
</div>`;
    return { title: texts("nav.aisle"), content };
  },
};

/** The last scanned label: what it shows, and what is being sent to it. */
const card = ({ texts }: Visit): Html => html`<p class="empty" id="empty">${texts("aisle.intro")}</p>
<section class="card" id="card" hidden aria-label="${texts("label.glass")}">
<p class="muted" id="now" hidden>${texts("aisle.now")}</p>
<div class="mat"><img class="pixels" id="picture" alt="" hidden><p class="muted">${texts("label.noPicture")}</p></div>
<div class="coming" id="coming" hidden><p class="muted">${texts("aisle.next")}</p><img class="pixels" id="next" alt="" hidden></div>
<div class="told" role="status"><p class="name" id="card-name"></p><p class="state" id="card-state"></p><p class="muted" id="card-code"></p></div>
<div class="buttons" id="mend" hidden><button${scripted} type="button" class="primary" data-act="refresh">${texts("act.refresh")}</button><button${scripted} type="button" data-act="replace">${texts("aisle.check.replace")}</button></div>
</section>`;

/** Controls within reach of the thumb: what to scan next, the field, the camera and the tasks. */
function hand({ texts }: Visit): Html {
  return html`<section class="hand" aria-label="${texts("aisle.hand")}">
<div class="asked"><p class="ask" id="asked" role="status"></p><p class="muted" id="chosen"></p></div>
<div class="positions" id="positions" role="group" aria-label="${texts("aisle.positions")}" hidden></div>
<p class="said" id="said" role="status" hidden></p>
<button${scripted} type="button" class="danger" id="unlink" data-act="unlink" hidden>${texts("act.unlink")}</button>
<form id="code-form"><label class="field"><span class="visually-hidden">${texts("aisle.code")}</span><input name="code" placeholder="${texts("aisle.code")}" maxlength="128" required autocomplete="off" autocapitalize="characters" spellcheck="false" enterkeyhint="done"></label>
<button${scripted}>${texts("aisle.take")}</button>
<button${scripted} type="button" id="restart" data-act="restart" hidden>${texts("aisle.restart")}</button>
<button${scripted} type="button" class="primary camera" id="camera" aria-pressed="false">${mark("camera")}<span>${texts("aisle.camera")}</span></button></form>
<div class="modes" role="group" aria-label="${texts("aisle.modes")}">${modes.map(
    (mode) =>
      html`<button${scripted} type="button" data-mode="${mode}" aria-pressed="false">${mark(mode)}<span>${texts(`aisle.${mode}`)}</span></button>`,
  )}</div>
</section>`;
}

const SCRIPT_KEYS = /^(?:aisle|cause)\./;
const keys = (Object.keys(en) as Key[]).filter((key) => SCRIPT_KEYS.test(key));
const marked = ["OK", "PENDING", "ERROR", "NEW", "UNKNOWN"] as const;

/** The mark for each label state, which the page's script inserts. */
const marks = JSON.stringify(Object.fromEntries(marked.map((state) => [state, mark(state).text])));
