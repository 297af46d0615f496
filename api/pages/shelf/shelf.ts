import { BatteryState, PlState } from "../../../schemas/label.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { keptStore } from "../layout/kept-store.ts";
import { mark } from "../layout/marks.ts";
import type { Key } from "../messages/en.ts";
import type { Page, Visit } from "../visit.ts";

/** The store's labels as pictures. The page's script reads them from the interface and draws the visible ones. */
export const shelf: Page = {
  path: "/shelf",
  entry: "shelf",
  styles: ["shelf.css"],
  scripts: ["shelf/shelf.ts"],
  async show(visit) {
    const { texts, store } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const content = html`<div class="shelf-page" id="shelf" data-base="${visit.storeBase}" data-tail="${visit.tail}" data-store="${store.id}" data-items="${String(visit.may("items:read"))}" data-label="${visit.link("/labels/")}" data-currency="${store.currency}" data-texts="${JSON.stringify(textsOfScript(visit))}">
${filters(visit)}
<p class="count" role="status" id="count">${texts("shelf.loading")}</p>
<p class="hint"><a href="${visit.link("/shelf/then")}">${texts("then.link")}</a></p>
<noscript><p class="hint">${texts("shelf.noscript")}</p></noscript>
<div id="grid" role="list" aria-label="${texts("shelf.title")}"></div>
${visit.may("labels:write") && selectionBar(visit)}
</div>`;
    return { title: texts("shelf.title"), content };
  },
};

function filters(visit: Visit): Html {
  const { texts, query } = visit;
  const option = (value: string, text: string, chosen: string | null) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`;
  // A filter that not every store needs is hidden until a label has a value for it.
  const select = (name: string, label: string, options: readonly Html[], isRare = false) =>
    html`<label class="field"${isRare && html` hidden`}><span>${label}</span><select name="${name}">${option("", texts("shelf.any"), null)}${options}</select></label>`;
  return html`<form class="filters" id="filters" role="search">
<h1 class="visually-hidden">${texts("shelf.title")}</h1>${keptStore(visit)}
<label class="field search"><span>${texts("shelf.search")}</span><input type="search" name="search" value="${query.get("search") ?? ""}" placeholder="${texts("shelf.searchHint")}" autocomplete="off" spellcheck="false"></label>
<div class="selects">${select(
    "state",
    texts("shelf.state"),
    PlState.enum.map((state) => option(state, texts(`state.${state}`), query.get("state"))),
  )}
${select(
  "battery",
  texts("shelf.battery"),
  BatteryState.enum.map((state) => option(state, texts(`battery.${state}`), query.get("battery"))),
)}
${select("model", texts("label.model"), [])}
${select("department", texts("item.department"), [])}
${select("place", texts("label.place"), [])}
${select("area", texts("shelf.area"), [], true)}</div>
</form>`;
}

function selectionBar({ texts }: Visit): Html {
  const button = (action: "flash" | "refresh" | "info" | "unlink", kind = "") =>
    html`<button${scripted} type="button" data-act="${action}" class="${kind}">${texts(`act.${action}`)}</button>`;
  return html`<section class="selection" id="selection" hidden aria-label="${texts("shelf.selection")}">
<p id="selected" role="status"></p><button${scripted} type="button" id="rest" hidden></button>
<div class="buttons" id="acts">${button("flash")}${button("refresh")}${button("info")}${button("unlink", "danger")}<button${scripted} type="button" id="clear">${texts("shelf.clear")}</button></div>
<div class="buttons" id="progress" hidden><progress id="bar" max="1" value="0"></progress><button${scripted} type="button" id="stop">${texts("shelf.stop")}</button></div>
<dialog id="confirm" aria-labelledby="confirm-text"><form method="dialog"><p id="confirm-text"></p><div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button class="primary" value="yes">${texts("shelf.go")}</button></div></form></dialog>
</section>`;
}

const scriptKeys = [
  "state.OK",
  "state.PENDING",
  "state.ERROR",
  "state.OFFLINE",
  "state.UNKNOWN",
  "state.NEW",
  "battery.LOW",
  "label.now",
  "label.next",
  "shelf.notLinked",
  "shelf.noPicture",
  "shelf.none",
  "shelf.failed",
  "shelf.select",
] as const satisfies readonly Key[];
/** Messages with a count, whose plural form the script chooses by the rules of the language. */
const countedKeys = [
  "labels.count",
  "shelf.selected",
  "shelf.shown",
  "confirm.flash",
  "confirm.refresh",
  "confirm.info",
  "confirm.unlink",
  "shelf.done",
  "shelf.stopped",
  "shelf.later",
  "shelf.unreachable",
  "shelf.unsupported",
  "shelf.refused",
  "shelf.rest",
] as const satisfies readonly Key[];

/** The messages for the script, and its marks. */
const textsOfScript = ({ texts, language, formsOf }: Visit) => ({
  language,
  plain: Object.fromEntries(scriptKeys.map((key) => [key, texts(key)])),
  counted: Object.fromEntries(countedKeys.map((key) => [key, formsOf(key)])),
  marks: Object.fromEntries([...PlState.enum, "battery" as const].map((state) => [state, mark(state).text])),
});
