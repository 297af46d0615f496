import type { UnknownTag } from "../../../schemas/unknown-tag.ts";
import { type Html, html } from "../html/html.ts";
import { instantText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";

/** The tags that a label server reports but no label names, and the command that adds one. */
export function unknownTags(visit: Visit, tags: readonly UnknownTag[]): Html {
  const { texts } = visit;
  const [first] = tags;
  return html`<section class="card list-card" aria-labelledby="unknown-title"><header class="bar"><h2 id="unknown-title">${texts("server.unknown")}</h2></header>
${
  first === undefined
    ? html`<p>${texts("server.unknownNone")}</p>`
    : html`<p class="hint">${texts("server.unknownWhat")}</p><p class="technical">${commandFor(first.device)}</p><ul class="entries">${tags.map((tag) => entry(visit, tag))}</ul>`
}</section>`;
}

/** The call that adds a tag. */
const commandFor = (device: string): string => `PATCH /labels ${JSON.stringify([{ barcode: "…", device }])}`;

function entry({ texts, language, store }: Visit, tag: UnknownTag): Html {
  const { device, name, hardwareType, labelTypes, lastSeen, batteryState } = tag;
  const heard =
    lastSeen === null
      ? texts("server.unheard")
      : texts("server.heard", { time: instantText(lastSeen, language, store?.timeZone) });
  return html`<li><div class="entry"><span class="name technical">${device}</span><span class="muted">${name ?? hardwareType}${labelTypes.length > 0 && html` · ${labelTypes.join(", ")}`}</span><span class="muted">${heard}${batteryState === "LOW" && html` · ${texts("battery.LOW")}`}</span></div></li>`;
}
