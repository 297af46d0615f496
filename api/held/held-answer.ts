import type { HeldRecord } from "../../records/requests/held/holds.ts";
import { type GuardNotice, guardText } from "../../schemas/guard-notice.ts";
import type { HeldRequest, HeldRow, HeldSummary } from "../../schemas/held-request.ts";
import { createDateText } from "../http/date-text.ts";

const hitOf = (notice: GuardNotice) => ({ ...notice, detail: guardText(notice) });

/** A held request in a list. */
export function heldSummary({ number, size, drawnAt, hold }: HeldRecord, timeZone: string): HeldSummary {
  const { state, sentBy, expiresAt, count, whole, decision, largest } = hold;
  const dateText = createDateText(timeZone, true);
  return {
    requestId: number,
    state,
    sentBy,
    sentAt: dateText(drawnAt),
    expiresAt: dateText(expiresAt),
    rows: size,
    held: count,
    guards: whole.map(hitOf),
    largest: largest ?? null,
    ...(decision && { decision: { ...decision, at: dateText(decision.at) } }),
  };
}

/** A held request with its rows. */
export const heldRequest = (held: HeldRecord, timeZone: string): HeldRequest => ({
  ...heldSummary(held, timeZone),
  changes: held.hold.rows.map(rowAnswer),
});

const rowAnswer = ({ itemId, itemName, price, was, percent, notices }: HeldRow) => ({
  itemId,
  itemName: itemName ?? null,
  price,
  was: was ?? null,
  percent: percent ?? null,
  guards: notices.map(hitOf),
});
