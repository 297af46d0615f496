import { createDateText } from "../../http/date-text.ts";
import { type Html, html } from "../html/html.ts";
import { keptStore } from "../layout/kept-store.ts";
import type { Visit } from "../visit.ts";

/** The form in which a visitor chooses a time, in the store's time zone. */
export const timeChoice = (visit: Visit, chosen: string): Html =>
  html`<form class="time-choice" role="search">${keptStore(visit)}
<label class="field"><span>${visit.texts("proof.time")}</span><input type="datetime-local" name="at" step="1" required value="${chosen.replace(" ", "T")}" max="${presentTime(visit).replace(" ", "T")}"></label>
<button class="primary">${visit.texts("proof.show")}</button></form>`;

/**
 * Returns the time that the visitor chose, in the interface's format: `YYYY-MM-DD hh:mm:ss`. Without a choice, returns
 * the current time; undefined if the address contains a time that no browser would send.
 */
export function chosenTime(visit: Visit): string | undefined {
  const given = visit.query.get("at");
  if (given === null) return presentTime(visit);
  const [, day, time, seconds = ":00"] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?$/.exec(given) ?? [];
  return day === undefined ? undefined : `${day} ${time}${seconds}`;
}

const presentTime = ({ store, now }: Visit): string => createDateText(store?.timeZone ?? "UTC", false)(now);
