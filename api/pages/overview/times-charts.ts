import type { IntegrityReport, TimesStep } from "../../../schemas/integrity.ts";
import { type Html, html } from "../html/html.ts";
import { durationText, timeText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";

type TimesToGlass = NonNullable<IntegrityReport["timeToGlass"]>;

/** Sizes in the drawing's own units; it is as wide as its container. */
const WIDTH = 480;
const HEIGHT = 64;
const GAP = 3;
const MIN_HEIGHT = 2;

/** Shows how many labels received a new picture and how long that took, per interval; nothing if there were none. */
export const timesCharts = (visit: Visit, { byMinutes, byHours, lastDay }: TimesToGlass): Html | false =>
  lastDay.pictures > 0 &&
  html`<div class="charts">${figure(visit, visit.texts("times.byMinutes"), byMinutes)}${figure(visit, visit.texts("times.byHours"), byHours)}</div>`;

function figure({ texts, language, now }: Visit, title: string, steps: readonly TimesStep[]): Html {
  const most = Math.max(1, ...steps.map(({ pictures }) => pictures));
  const longest = Math.max(0.001, ...steps.map(({ p90 }) => p90 ?? 0));
  const width = WIDTH / steps.length;
  const time = (iso: string) => timeText(iso, language, now);
  const seconds = (value: number | null) => (value === null ? "–" : durationText(value, language));
  const tip = ({ from, pictures, p50, p90 }: TimesStep) =>
    texts("times.step", { time: time(from), count: pictures, half: seconds(p50), most: seconds(p90) });
  const bar = (kind: string, index: number, part: number) => {
    const height = Math.max(MIN_HEIGHT, part * HEIGHT);
    return html`<rect class="${kind}" x="${fixed(index * width + GAP / 2)}" y="${fixed(HEIGHT - height)}" width="${fixed(width - GAP)}" height="${fixed(height)}" rx="1.5"/>`;
  };
  const drawn = (kind: "pictures" | "range", text: string, barOf: (step: TimesStep, index: number) => Html) =>
    html`<svg class="${kind}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${text}">${steps.map((step, index) => step.pictures > 0 && html`<g><title>${tip(step)}</title>${barOf(step, index)}</g>`)}</svg>`;
  const ofPictures = texts("times.most.pictures", { count: most });
  const ofTimes = texts("times.range", { most: seconds(longest) });
  return html`<figure><figcaption>${title}</figcaption>
<p class="scale">${texts("times.pictures")} <span>${ofPictures}</span></p>
${drawn("pictures", `${title}. ${ofPictures}`, ({ pictures }, index) => bar("all", index, pictures / most))}
<p class="scale">${texts("times.toGlass")} <span>${ofTimes}</span></p>
${drawn("range", `${texts("times.toGlass")}, ${ofTimes}`, ({ p50, p90 }, index) => html`${bar("most", index, (p90 ?? 0) / longest)}${bar("half", index, (p50 ?? 0) / longest)}`)}
<p class="ends"><span>${time(steps[0]?.from ?? "")}</span><span>${texts("times.now")}</span></p></figure>`;
}

const fixed = (value: number): string => value.toFixed(1);
