import { instantOfStoreTime } from "../../domain/times/store-time.ts";
import type { AcceptedRequest, JournaledChunk } from "../../records/requests/chunks.ts";
import type { HoldMarks } from "../../records/requests/held/hold-marks.ts";
import type { Holds } from "../../records/requests/held/holds.ts";
import type { GuardNotice } from "../../schemas/guard-notice.ts";
import type { Hold, OnGuard } from "../../schemas/held-request.ts";
import type { ItemPatch } from "../../schemas/item.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { DEFAULT_EXPIRES_AFTER, hasGuards } from "../../schemas/price-guards.ts";
import { type Fault, faultAt } from "../../schemas/problem.ts";
import type { Stored } from "../../schemas/record.ts";
import type { StoreRecord } from "../../schemas/store.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { INTERACTIVE_ROWS } from "../../schemas/urgency.ts";
import { actorOf } from "../access/actor-of.ts";
import type { Permit } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { AcceptRows } from "../requests/accept-rows.ts";
import type { TriedRows, TryRows } from "./try-rows.ts";

export interface GuardWorld {
  acceptRows: AcceptRows;
  /** Journals a request; a held one is not enqueued. */
  accept(request: AcceptedRequest): Promise<JournaledChunk[]>;
  tryRows: TryRows;
  holds: Pick<Holds, "countWaiting">;
  holdMarks: Pick<HoldMarks, "set" | "remove">;
  now(): Date;
}

/** A row whose price, if it has one, is checked by guards. */
type GuardedRow = Pick<ItemPatch, "itemId" | "price" | "validFrom" | "properties">;

/** Rows of items that a caller sends, and what should happen to rows that hit guards. */
interface GuardedCall<Row extends GuardedRow = GuardedRow> {
  store: string;
  operation: "patch-items" | "undo-list";
  /** The price list that the changes belong to; if empty, the request gets its own. */
  list?: string | undefined;
  settings: Stored<StoreRecord>;
  permit: Permit;
  onGuard: OnGuard | undefined;
  rows: readonly Row[];
  /** Whether such rows wait until all requests with smaller numbers are done. */
  isOrdered(rows: readonly Row[]): boolean;
}

type Accepted = { requestId: number; held?: { requestId: number; rows: number } };

const HOUR_MS = 3_600_000;
const MAX_FAULTS = 100;

/** Accepts rows of items after checking their prices against the store's guards. Without guards this costs nothing. */
export function createAcceptGuarded(world: GuardWorld) {
  const { acceptRows, tryRows, now } = world;
  const requestOf = <Row extends GuardedRow>(call: GuardedCall<Row>, rows: readonly Row[]) => {
    const { store, operation, list, isOrdered } = call;
    return { store, operation, rows, ordered: isOrdered(rows), ...(list !== undefined && { list }) };
  };
  const acceptAll = async <Row extends GuardedRow>(call: GuardedCall<Row>, rows: readonly Row[]) => ({
    requestId: await acceptRows(requestOf(call, rows)),
  });

  /** Journals a request that changes nothing until it is approved; returns its number. */
  async function hold<Row extends GuardedRow>(
    call: GuardedCall<Row>,
    rows: readonly Row[],
    heldFor: TriedRows["heldFor"],
  ): Promise<number> {
    const { store, settings, permit } = call;
    const present = await world.holds.countWaiting(tenantOf(store));
    if (present >= tenantLimits.heldRequests)
      throw new ProblemError("too-much-waiting", `${present} requests of the tenant are held: decide on them first.`);
    const { expiresAfter = DEFAULT_EXPIRES_AFTER } = settings.priceGuards ?? {};
    const expiresAt = expiryOf(rows, settings.timeZone, now(), expiresAfter * HOUR_MS);
    // Must be set before the number is drawn.
    const mark = await world.holdMarks.set(store);
    const hold: Hold = { ...heldFor, state: "WAITING", open: true, mark, sentBy: actorOf(permit), expiresAt };
    const [chunk] = await world.accept({ ...requestOf(call, rows), hold });
    // This call repeats one whose first run held the request.
    if (chunk?.hold?.mark !== mark) await world.holdMarks.remove(store, [mark]);
    return chunk?.number ?? 0;
  }

  return async <Row extends GuardedRow>(call: GuardedCall<Row>): Promise<Accepted> => {
    const { store, settings, rows } = call;
    const guards = settings.priceGuards;
    if (guards === undefined || !hasGuards(guards) || !rows.some(({ price }) => price)) return acceptAll(call, rows);
    const { hits, whole, heldFor } = await tryRows({ store, timeZone: settings.timeZone, guards, rows });
    if (hits.length === 0) return acceptAll(call, rows);
    const onGuard = call.onGuard ?? (rows.length > INTERACTIVE_ROWS ? "HOLD" : "REFUSE");
    if (onGuard === "REFUSE") throw refusal(hits, whole);
    // Holds all rows of such an item, so that they keep their order.
    const held = new Set(hits.map(({ itemId }) => itemId));
    const others = onGuard === "HOLD" ? [] : rows.filter(({ itemId }) => !held.has(itemId));
    if (others.length === 0) {
      const requestId = await hold(call, rows, heldFor);
      return { requestId, held: { requestId, rows: hits.length } };
    }
    const { requestId } = await acceptAll(call, others);
    const kept = rows.filter(({ itemId }) => held.has(itemId));
    const again = await tryRows({ store, timeZone: settings.timeZone, guards, rows: kept });
    return { requestId, held: { requestId: await hold(call, kept, again.heldFor), rows: hits.length } };
  };
}

/** When a held request expires: after the configured hours, or when the first scheduled row takes effect if that is sooner. */
function expiryOf(rows: readonly GuardedRow[], timeZone: string, now: Date, milliseconds: number): Date {
  const times = [...new Set(rows.flatMap(({ validFrom }) => validFrom || []))].map((at) =>
    instantOfStoreTime(at, timeZone),
  );
  const ahead = times.filter((at) => at > now.getTime());
  return new Date(Math.min(now.getTime() + milliseconds, ...ahead));
}

/** The 409 that names each guard with its numbers, and what to do next. */
function refusal(hits: TriedRows["hits"], whole: readonly GuardNotice[]): ProblemError {
  const errors: Fault[] = [
    ...whole.map((notice) => faultAt("", notice)),
    ...hits.flatMap(({ row, notices }) => notices.map((notice) => faultAt(`/${row}/price`, notice))),
  ].slice(0, MAX_FAULTS);
  const rows = hits.length === 1 ? "a row hits" : `${hits.length} rows hit`;
  return new ProblemError(
    "price-guard",
    `Nothing was changed, because ${whole.length > 0 ? "it hits" : rows} a price guard. Correct the prices, or send the request with onGuard=HOLD to have it approved by a second person.`,
    { errors },
  );
}
