import type { WorkEntry } from "../../../schemas/work-list.ts";
import { type Html, html } from "../html/html.ts";
import { timeText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";
import { code128, QUIET_ZONE } from "./code128.ts";

/** Labels by location: on the screen with a checkbox each, on paper with a code that a scanner reads. */
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

/** The barcode of a label as Code 128, for paper; nothing if it has characters that its code set lacks. */
function codeOf(barcode: string): Html | undefined {
  const widths = code128(barcode);
  if (widths === undefined) return undefined;
  let x = QUIET_ZONE;
  const bars: string[] = [];
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) bars.push(`M${x} 0h${width}v${CODE_HEIGHT}h-${width}z`);
    x += width;
  }
  return html`<svg class="code" viewBox="0 0 ${x + QUIET_ZONE} ${CODE_HEIGHT}" preserveAspectRatio="none" shape-rendering="crispEdges" aria-hidden="true"><path d="${bars.join("")}"/></svg>`;
}
