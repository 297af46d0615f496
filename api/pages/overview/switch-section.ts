import type { SwitchAnswer } from "../../../schemas/switch.ts";
import { createDateText } from "../../http/date-text.ts";
import { wallText } from "../browser/wall-text.ts";
import { type Html, html } from "../html/html.ts";
import type { StoreChoice, Visit } from "../visit.ts";

/** Number of labels that are named; the rest are counted. */
const MAX_LABELS = 6;

/** A store's upcoming and current switches. A switch that was called off stays listed until its scheduled time. */
export async function switchSection(visit: Visit, { id: storeId, timeZone = "UTC" }: StoreChoice): Promise<Html | ""> {
  const all = await visit.read<SwitchAnswer[]>("listSwitches", { storeId });
  const now = createDateText(timeZone, false)(visit.now);
  const isOpen = ({ state, validFrom }: SwitchAnswer) =>
    state === "PREPARING" || state === "ORDERED" || (state === "CALLED_OFF" && validFrom > now);
  const shown = all.filter(isOpen);
  return shown.length === 0 ? "" : html`${await Promise.all(shown.map((one) => switchCard(visit, storeId, one)))}`;
}

/** Shows how many labels of a switch are ready, which are not, and what happens at its deadline. */
async function switchCard(visit: Visit, storeId: string, one: SwitchAnswer): Promise<Html> {
  const { texts, language, read, link } = visit;
  const { switchId, validFrom, deadline, atDeadline, state, labels } = one;
  const key = state === "PREPARING" ? atDeadline : state === "CALLED_OFF" ? "CALLED_OFF" : "ORDERED";
  const clock = (local: string) => wallText(local.replace(" ", "T"), language);
  const missing = labels.prepared - labels.ready;
  const named =
    missing === 0
      ? []
      : await read<{ barcode: string }[]>("listSwitchLabels", {
          storeId,
          params: { switchId },
          query: { readiness: ["WAITING", "ASLEEP"], limit: MAX_LABELS },
        });
  const progress = { count: labels.prepared, ready: labels.ready, shown: labels.shown };
  return html`<section class="switch"><h3>${texts("switch.title", { time: clock(validFrom) })}</h3>
<p>${texts(labels.shown > 0 ? "switch.shown" : "switch.ready", progress)}</p>
${
  missing > 0 &&
  html`<p><strong>${texts("switch.missing", { count: missing })}</strong></p>
<p class="barcodes">${named.map(({ barcode }) => html`<a href="${link(`/labels/${encodeURIComponent(barcode)}`, { store: storeId })}">${barcode}</a> `)}${missing > named.length && texts("checks.more", { count: missing - named.length })}</p>`
}
${labels.others > 0 && html`<p>${texts("switch.others", { count: labels.others })}</p>`}
<p class="hint">${texts(`switch.${key}`, { time: clock(deadline) })}</p></section>`;
}
