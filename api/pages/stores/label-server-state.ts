import type { LabelServerHealth } from "../../../schemas/label-server-health.ts";
import { type Html, html } from "../html/html.ts";
import { mark } from "../layout/marks.ts";
import { instantText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";

const marks = { ANSWERS: "OK", AWAY: "ERROR", DENIES: "ERROR", UNKNOWN: "NEW" } as const;

/**
 * Whether a label server responds, as shape, word and colour, with the time of its last response or when it began to
 * fail, in the given time zone.
 */
export function labelServerState(
  { texts, language }: Visit,
  { state, awaySince, deniedSince, answeredAt }: LabelServerHealth,
  timeZone: string | undefined,
): Html {
  const at = awaySince ?? deniedSince ?? answeredAt;
  const time = at === null ? "" : instantText(at, language, timeZone);
  return html`<span class="state" data-state="${marks[state]}">${mark(marks[state])}${texts(`server.${state}`, { time })}</span>`;
}
