import type { LawCheckName } from "../../../domain/law/provisions.ts";
import type { LawFinding, LawFindings } from "../../../schemas/law.ts";
import { type Html, html } from "../html/html.ts";
import { mark } from "../layout/marks.ts";
import type { Visit } from "../visit.ts";

/** Number of the store's items that are checked for the page. */
const ITEMS_CHECKED = 200;
/** Maximum number of subjects that a finding names. */
const MAX_NAMED = 5;

/**
 * Findings under the law of the store's country, breaches first; nothing if there are none, such as for a store without a
 * country, or if the visitor may not read items.
 */
export async function lawSection(visit: Visit, storeId: string): Promise<Html | false> {
  const { texts, read, may } = visit;
  if (!may("items:read")) return false;
  const { findings, itemsRead } = await read<LawFindings>("listLawFindings", {
    storeId,
    query: { limit: ITEMS_CHECKED },
  });
  const byCheck = [...Map.groupBy(findings, ({ check }) => check as LawCheckName)];
  byCheck.sort(([, [one]], [, [other]]) => Number(isBreach(other)) - Number(isBreach(one)));
  return (
    byCheck.length > 0 &&
    html`<section class="card" aria-labelledby="law-title"><h2 id="law-title">${texts("law.title")}</h2>
<ul class="causes">${byCheck.map(([check, found]) => findingOf(visit, check, found))}</ul>
<p class="hint">${texts("law.hint", { count: itemsRead })}</p></section>`
  );
}

const isBreach = (finding: LawFinding | undefined): boolean => finding?.level === "breach";

function findingOf({ texts, link, mayInTenant }: Visit, check: LawCheckName, found: readonly LawFinding[]): Html {
  const subjects = [...new Map(found.map(({ subject }) => [`${subject.kind} ${subject.id}`, subject])).values()];
  const named = subjects.slice(0, MAX_NAMED).map(({ kind, id }) => {
    if (kind === "item") return html`<a href="${link(`/items/${encodeURIComponent(id)}`)}">${id}</a>`;
    if (kind === "canvas-design" && mayInTenant("design:read"))
      return html`<a href="${link(`/designer/canvases/${encodeURIComponent(id)}`)}">${id}</a>`;
    return html`<span>${id}</span>`;
  });
  const rest = subjects.length - named.length;
  return html`<li data-state="${isBreach(found[0]) ? "ERROR" : "PENDING"}">${mark(isBreach(found[0]) ? "ERROR" : "PENDING")}<span>${texts(`law.check.${check}`)}: ${named.map((one, index) => html`${index > 0 && ", "}${one}`)}${rest > 0 && html` ${texts("law.more", { count: rest })}`}</span></li>`;
}
