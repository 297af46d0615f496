import { isBehind } from "../browser/state-of-cause.ts";
import { type Html, html } from "../html/html.ts";
import { timeText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";
import type { LabelFacts } from "./label-facts.ts";
import { addressOf, sizeOf } from "./pictures.ts";

/** The approximate width of an enlarged picture, in pixels of the page. */
const ENLARGED_WIDTH = 600;
const MAX_SCALE = 4;

/**
 * Shows the label's current picture, enlarged by an integer factor and at actual size, and next to it the picture that is being
 * sent, if that differs.
 */
export function glass(visit: Visit, facts: LabelFacts): Html {
  const { texts } = visit;
  const { shown, next } = facts.pictures;
  const [acknowledged] = facts.explanation.glass;
  return html`<section class="card glass" id="glass" data-live aria-label="${texts("label.glass")}">
${(acknowledged || !next) && html`<h2>${texts("label.now")}</h2>${shown ? enlarged(visit, facts, shown) : html`<div class="mat empty"><p>${texts(acknowledged ? "label.pictureGone" : "label.noPicture")}</p></div>`}`}
${next && html`<figure class="coming"><h2>${texts("label.next")}</h2>${trueSize(visit, facts, next)}</figure>`}
${sentence(visit, facts)}${reported(visit, facts)}
</section>`;
}

function enlarged(visit: Visit, facts: LabelFacts, picture: Buffer): Html {
  const { texts } = visit;
  const { width, height } = sizeOf(picture);
  const size = { width, height, scale: scaleOf(width) };
  const address = addressOf(visit, facts.label.barcode, "shown", picture);
  return html`<div class="mat"><img class="pixels${size.width * size.scale > ENLARGED_WIDTH && " wide"}" src="${address}" width="${size.width * size.scale}" height="${size.height * size.scale}" alt="${shownText(visit, facts)}"></div>
<p class="size">${size.scale > 1 && html`<img class="pixels" src="${address}" width="${size.width}" height="${size.height}" alt="">`}<span class="muted">${texts(size.scale > 1 ? "label.size" : "label.trueSize", { ...size })}</span></p>`;
}

function trueSize(visit: Visit, facts: LabelFacts, picture: Buffer): Html {
  const { width, height } = sizeOf(picture);
  return html`<img class="pixels" src="${addressOf(visit, facts.label.barcode, "next", picture)}" width="${width}" height="${height}" alt="${itemsText(visit, facts)}">`;
}

/** The last temperature and the last press that the label reported. */
function reported({ texts, language, now }: Visit, { label: { sensors, lastPress } }: LabelFacts): Html {
  const { temperature } = sensors;
  const time = (iso: string) => timeText(iso, language, now);
  return html`${
    temperature &&
    html`<p class="muted">${texts("label.temperature", { degrees: temperature.value.toLocaleString(language), time: time(temperature.time) })}</p>`
  }${
    lastPress &&
    html`<p class="muted">${texts("label.pressed", { button: lastPress.button, time: time(lastPress.time) })}</p>`
  }`;
}

function sentence({ texts, language, now }: Visit, { explanation, pictures }: LabelFacts): Html {
  const { glass, onItsWay, cause, waits, lastSeen } = explanation;
  const [shown] = glass;
  const [wait] = waits;
  const isNewest = shown?.isWanted && !waits.some((one) => isBehind(one.cause));
  // The newest picture has been acknowledged, but a picture that was sent later has not.
  const isUncertain = shown !== undefined && !shown.isWanted && pictures.next === undefined;
  const time = (iso: string) => timeText(iso, language, now);
  return html`<p class="sentence" data-cause="${cause}">${
    shown === undefined
      ? texts("label.showsNothing")
      : texts(isNewest ? "label.showsNewest" : isUncertain ? "label.uncertain" : "label.showsEarlier", {
          time: time(shown.since),
        })
  }${cause !== "UP_TO_DATE" && html` <strong>${texts(`cause.${cause}`)}</strong>`}${
    wait?.since &&
    cause !== "UP_TO_DATE" &&
    html` <span class="muted">${texts("since", { time: time(wait.since) })}</span>`
  }</p>${shown?.isUploaded && html`<p class="muted">${texts("label.uploaded")}</p>`}${onItsWay && html`<p class="muted">${texts("label.sent", { time: time(onItsWay.since), count: onItsWay.tries })}</p>`}${
    lastSeen !== null && html`<p class="muted">${texts("label.heard", { time: time(lastSeen) })}</p>`
  }`;
}

/** Returns what the acknowledged picture showed when it was made. */
function shownText(visit: Visit, { explanation: { glass, positions } }: LabelFacts): string {
  const [shown] = glass;
  if (shown?.isUploaded) return visit.texts("label.uploaded");
  const names = new Map(positions.flatMap(({ item }) => (item ? [[item.itemId, item.itemName] as const] : [])));
  const items = shown?.items?.map(({ itemId, price }) =>
    [names.get(itemId) ?? itemId, price && visit.price(price)].filter(Boolean).join(", "),
  );
  return items?.join("; ") || visit.texts(shown?.items === null ? "label.noneKnown" : "label.noItem");
}

/** Returns what the newest picture shows. */
const itemsText = ({ texts, price }: Visit, { explanation: { positions } }: LabelFacts): string =>
  positions
    .flatMap(({ item }) =>
      item?.isThere ? [[item.itemName ?? item.itemId, item.price && price(item.price)].filter(Boolean).join(", ")] : [],
    )
    .join("; ") || texts("label.noItem");

/** Returns the largest whole factor by which a picture of this width is enlarged. */
const scaleOf = (width: number): number => Math.max(1, Math.min(MAX_SCALE, Math.floor(ENLARGED_WIDTH / width)));
