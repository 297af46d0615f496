import type { Outcome, Result, Shelfwire } from "../../../docs/typescript-client/index.ts";
import type { ItemPatch } from "../../../schemas/item.ts";

/** A row of a file that can be sent. */
export interface SendableRow {
  line: number;
  item: ItemPatch;
}

/** The result of a row: its status, or REFUSED if the watcher refused it, HELD if price guards held it, or NOT_SENT. */
export interface RowReport {
  line: number;
  itemId: string;
  status: Outcome["status"] | "REFUSED" | "HELD" | "NOT_SENT";
  reason: string;
}

interface Receipt {
  requestId: number;
  held?: { requestId: number; rows: number };
}

const MAX_ROWS = 5_000;
const MAX_BYTES = 8 * 2 ** 20;

/** The calls of the client that a file requires. */
export type Store = Pick<Shelfwire, "call" | "result">;

/**
 * Sends rows in order, each part with its own key, and waits until all are applied. Called again with the same rows and key,
 * it continues where it ended, and no row is applied twice. Rows that hit a price guard are held, and the others are applied.
 * Throws a ShelfwireError.
 *
 *
 * @param report called with the rows of each part once it is applied, in order
 */
export async function sendRows(
  store: Store,
  rows: readonly SendableRow[],
  key: string,
  report: (rows: readonly RowReport[]) => void,
): Promise<void> {
  const sent: { part: readonly SendableRow[]; receipt: Receipt }[] = [];
  const finish = async () => {
    for (const { part, receipt } of sent.splice(0)) report(await reportsOf(store, part, receipt));
  };
  try {
    for (const [index, part] of [...partsOf(rows)].entries()) {
      const call = { body: part.map(({ item }) => item), idempotencyKey: `${key}.${index}` };
      const receipt = await store.call<Receipt>("PATCH", "/items", { ...call, query: { onGuard: "HOLD_ROWS" } });
      sent.push({ part, receipt });
    }
  } catch (error) {
    await finish();
    throw error;
  }
  await finish();
}

function* partsOf(rows: readonly SendableRow[]): Generator<SendableRow[]> {
  let part: SendableRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row.item));
    if (part.length === MAX_ROWS || (part.length > 0 && bytes + size > MAX_BYTES)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(row);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

async function reportsOf(store: Store, part: readonly SendableRow[], receipt: Receipt): Promise<RowReport[]> {
  const { requestId, held } = receipt;
  const applied = held?.requestId === requestId ? [] : (await store.result("items", requestId)).rows;
  return matched(part, applied, held?.requestId);
}

/** Matches rows with their outcomes, which are in the same order but do not include held rows. */
function matched(part: readonly SendableRow[], outcomes: Result["rows"], heldBy: number | undefined): RowReport[] {
  let next = 0;
  return part.map(({ line, item: { itemId } }) => {
    const outcome = outcomes[next];
    if (outcome?.itemId === itemId) {
      next += 1;
      return { line, itemId, status: outcome.status, reason: outcome.errors.join("; ") };
    }
    if (heldBy === undefined) throw new Error(`the result has no outcome for line ${line}, item ${itemId}`);
    return { line, itemId, status: "HELD", reason: `request ${heldBy} is waiting for a second person's approval` };
  });
}
