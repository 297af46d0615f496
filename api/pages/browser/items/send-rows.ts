import { call, fieldNamesIn, wait } from "../call.ts";
import { newKey } from "../new-key.ts";
import { refusalReason, rowReason } from "../notice-text.ts";
import { outcomesOf } from "../requests.ts";
import type { Texts } from "../texts.ts";
import type { PlannedRow } from "./check-rows.ts";

/** A row that the interface rejected, with its reason in the page's language. */
export interface FailedRow {
  line: number;
  itemId: string;
  reason: string;
}

interface Sending {
  base: string;
  text: Texts;
  /** Id of the price list for the rows. */
  priceList: string;
  /** When they take effect; immediately if undefined. */
  validFrom: string | undefined;
  isStopped(): boolean;
  /** Called after each call: how many rows are done, and which of them failed. */
  onDone(done: number, failed: readonly FailedRow[]): void;
}

const ROWS_PER_CALL = 1_000;
const RETRY_AFTER_MS = 2_000;
const MAX_TRIES = 30;

/**
 * Sends rows call by call, each once: a call without a response is repeated under its key. Returns how many were done.
 * Throws if there is no response for a minute, or if the session may no longer write, because all later calls would
 * fail in the same way.
 */
export async function sendRows(rows: readonly PlannedRow[], sending: Sending): Promise<number> {
  const { isStopped, onDone } = sending;
  let done = 0;
  for (let start = 0; start < rows.length && !isStopped(); start += ROWS_PER_CALL) {
    const batch = rows.slice(start, start + ROWS_PER_CALL);
    const failed = await sendBatch(sending, batch);
    done += batch.length;
    onDone(done, failed);
  }
  return done;
}

async function sendBatch(
  { base, text, priceList, validFrom }: Sending,
  batch: readonly PlannedRow[],
): Promise<FailedRow[]> {
  const key = newKey();
  const body = batch.map(({ item }) => (validFrom === undefined ? item : { ...item, validFrom }));
  // Only rows with prices beyond head office's limits are held.
  const address = `${base}/items?onGuard=HOLD_ROWS&priceList=${priceList}`;
  const { outcomes, refusal, status, isHeld } = await outcomesOf(base, () => repeated(address, body, key));
  const isOfTheseRows = status !== undefined && status >= 400 && status < 500 && ![401, 403, 429].includes(status);
  if (outcomes.length === 0 && !isOfTheseRows && !isHeld)
    throw new Error(`the rows were answered with ${status ?? "nothing"}`);
  const reasons = new Map(
    outcomes
      .filter(({ status }) => !status.startsWith("SUCCESS"))
      .map((outcome) => [outcome.itemId, rowReason(outcome, text)]),
  );
  const done = new Set(outcomes.map(({ itemId }) => itemId));
  return batch.flatMap(({ line, item: { itemId } }) => {
    if (isHeld && !done.has(itemId)) return [{ line, itemId, reason: text("held.row") }];
    const reason =
      outcomes.length === 0
        ? refusal
          ? refusalReason(refusal, text, fieldNamesIn(document))
          : ""
        : reasons.get(itemId);
    return reason === undefined ? [] : [{ line, itemId, reason }];
  });
}

/** Repeats a call that had no response or was too early. */
async function repeated(address: string, body: unknown, key: string): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await call("PATCH", address, body, key).catch(() => undefined);
    const isFinal = answer !== undefined && answer.status !== 429 && answer.status < 500;
    if (isFinal || tries === MAX_TRIES) return answer ?? Response.error();
    await wait(RETRY_AFTER_MS);
  }
}
