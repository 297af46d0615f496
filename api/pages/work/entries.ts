import { CodeError } from "../../../drawing/codes/code-error.ts";
import { linearSymbol } from "../../../drawing/codes/codes.ts";
import type { WorkEntry } from "../../../schemas/work-list.ts";
import { type Html, html } from "../html/html.ts";
import { timeText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";

/** Labels by location: with a checkbox each on the screen, and with a code that a scanner reads on paper. */
export function entriesByPlace(visit: Visit, entries: readonly WorkEntry[]): Html {
  const places = [...Map.groupBy(entries, ({ plLocation }) => plLocation)];
  return html`<ul class="places">${places.map(
    ([place, group]) =>
      html`<li><h3>${place ?? visit.texts("work.noPlace")}</h3><ul class="work-rows">${group.map((entry) => row(visit, entry))}</ul></li>`,
  )}</ul>`;
}

function row(visit: Visit, entry: WorkEntry): Html {
  const { texts, link, language, now, may } = visit;
  const { barcode, itemIds, since, assignment } = entry;
  const items = itemIds.map((item) =>
    may("items:read")
      ? html`<a href="${link(`/items/${encodeURIComponent(item)}`)}">${texts("label.itemNumber", { item })}</a> `
      : html`${texts("label.itemNumber", { item })} `,
  );
  return html`<li data-state="${assignment?.state}">${may("labels:write") && html`<label class="check"><input type="checkbox" name="label" value="${barcode}" aria-label="${texts("work.one", { barcode })}"></label>`}
<a class="number" href="${link(`/labels/${encodeURIComponent(barcode)}`)}">${barcode}</a>
<span class="muted">${items}${since !== null && texts("since", { time: timeText(since, language, now) })}</span>
<span class="muted assigned">${assigned(visit, assignment)}</span>${codeOf(barcode)}</li>`;
}

function assigned({ texts, language, now }: Visit, assignment: WorkEntry["assignment"]): string | false {
  if (assignment === null) return false;
  const { state, assignee, by, at } = assignment;
  if (state === "ASSIGNED") return texts("work.state.ASSIGNED", { name: assignee ?? by.id });
  return texts("work.state.DONE", { name: by.id, time: timeText(at, language, now) });
}

const CODE_HEIGHT = 20;

/** The barcode of a label as Code 128, for paper; nothing if it has characters that Code 128 lacks. */
function codeOf(barcode: string): Html | undefined {
  try {
    const { bars, modules } = linearSymbol("code128", barcode);
    const path = Array.from({ length: bars.length / 2 }, (_, index) => {
      const [start = 0, end = 0] = bars.subarray(2 * index, 2 * index + 2);
      return `M${start} 0h${end - start}v${CODE_HEIGHT}h-${end - start}z`;
    });
    return html`<svg class="code" viewBox="0 0 ${modules} ${CODE_HEIGHT}" preserveAspectRatio="none" shape-rendering="crispEdges" aria-hidden="true"><path d="${path.join("")}"/></svg>`;
  } catch (error) {
    if (error instanceof CodeError) return undefined;
    throw error;
  }
}
