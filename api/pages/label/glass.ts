import { type Html, html } from "../html/html.ts";
import { timeText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";
import type { LabelFacts } from "./label.ts";

/** The width that an enlarged picture should come near, in pixels of the page. */
const ENLARGED_WIDTH = 600;
const MAX_SCALE = 4;

/** The picture, enlarged by whole pixels and in its true size, and a sentence that says whether it is on the glass. */
export function glass(visit: Visit, facts: LabelFacts): Html {
  const { texts } = visit;
  const { label, picture } = facts;
  const size = picture && sizeOf(picture);
  const address = `${visit.storeBase}/labels/${encodeURIComponent(label.barcode)}/image?v=${picture ? tagOf(picture) : ""}`;
  return html`<section class="card glass" id="glass" data-live aria-labelledby="glass-title">
<h2 id="glass-title" class="visually-hidden">${texts("label.glass")}</h2>
${
  size && picture
    ? html`<div class="mat"><img class="pixels${size.width * size.scale > ENLARGED_WIDTH && " wide"}" src="${address}" width="${size.width * size.scale}" height="${size.height * size.scale}" alt="${altOf(visit, facts)}"></div>
<p class="size">${size.scale > 1 && html`<img class="pixels" src="${address}" width="${size.width}" height="${size.height}" alt="">`}<span class="muted">${texts(size.scale > 1 ? "label.size" : "label.trueSize", { ...size })}</span></p>`
    : html`<div class="mat empty"><p>${texts("label.noPicture")}</p></div>`
}
${sentence(visit, facts)}
</section>`;
}

function sentence({ texts, language, now }: Visit, { explanation }: LabelFacts): Html {
  const { glass, onItsWay, cause, waits, lastSeen } = explanation;
  const [shown] = glass;
  const [wait] = waits;
  const time = (iso: string) => timeText(iso, language, now);
  return html`<p class="sentence" data-cause="${cause}">${
    shown === undefined
      ? texts("label.showsNothing")
      : shown.isWanted
        ? texts("label.showsNewest", { time: time(shown.since) })
        : texts("label.showsEarlier", { time: time(shown.since) })
  }${cause !== "UP_TO_DATE" && html` <strong>${texts(`cause.${cause}`)}</strong>`}${
    wait?.since &&
    cause !== "UP_TO_DATE" &&
    html` <span class="muted">${texts("since", { time: time(wait.since) })}</span>`
  }</p>${onItsWay && html`<p class="muted">${texts("label.sent", { time: time(onItsWay.since), count: onItsWay.tries })}</p>`}${
    lastSeen !== null && html`<p class="muted">${texts("label.heard", { time: time(lastSeen) })}</p>`
  }`;
}

const altOf = ({ texts }: Visit, { explanation: { positions } }: LabelFacts): string =>
  positions
    .flatMap(({ item }) =>
      item?.isThere ? [[item.itemName ?? item.itemId, item.price].filter(Boolean).join(", ")] : [],
    )
    .join("; ") || texts("label.noItem");

/** The size of a PNG, from its header, and the whole number by which it is enlarged. */
function sizeOf(png: Buffer): { width: number; height: number; scale: number } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return { width, height, scale: Math.max(1, Math.min(MAX_SCALE, Math.floor(ENLARGED_WIDTH / width))) };
}

/** The checksum of a PNG's end: another picture has another address. */
const tagOf = (png: Buffer): string => `${png.length}-${png.subarray(-20, -12).toString("hex")}`;
