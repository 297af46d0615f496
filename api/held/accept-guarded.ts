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
import { MAX_FAULTS } from "../../schemas/validate.ts";
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
interface GuardedCall {
  store: string;
  operation: "patch-items" | "undo-list";
  /** The price list that the changes belong to; if empty, the request gets its own. */
  list?: string | undefined;
  settings: Stored<StoreRecord>;
  permit: Permit;
  onGuard: OnGuard | undefined;
  rows: readonly GuardedRow[];
  /** Whether these rows wait until all requests with smaller numbers are done. */
  isOrdered(rows: readonly GuardedRow[]): boolean;
}

/** The plan for a call's rows: which are applied, and which are held because they hit guards. */
interface Plan {
  call: GuardedCall;
  applied: readonly GuardedRow[];
  kept?: { rows: readonly GuardedRow[]; heldFor: TriedRows["heldFor"]; hits: number };
}

type Accepted = { requestId: number; held?: { requestId: number; rows: number } };

const HOUR_MS = 3_600_000;

/**
 * Accepts rows of items after checking their prices against the store's guards. Without guards this costs nothing. A refused
 * call changes nothing: it receives a 409 if its rows must not hit guards, or a 429 if the tenant would have too many held
 * requests.
 */
export function createAcceptGuarded(world: GuardWorld) {
  const { acceptRows, tryRows, now } = world;
  const requestOf = ({ store, operation, list, isOrdered }: GuardedCall, rows: readonly GuardedRow[]) => ({
    ...{ store, operation, rows, ordered: isOrdered(rows) },
    ...(list !== undefined && { list }),
  });

  /** Tries the rows; throws the 409 if they are refused. */
  async function plan(call: GuardedCall): Promise<Plan> {
    const { store, settings, rows } = call;
    const guards = settings.priceGuards;
    if (guards === undefined || !hasGuards(guards) || !rows.some(({ price }) => price)) return { call, applied: rows };
    const { hits, whole, heldFor } = await tryRows({ store, timeZone: settings.timeZone, guards, rows });
    if (hits.length === 0) return { call, applied: rows };
    const onGuard = call.onGuard ?? (rows.length > INTERACTIVE_ROWS ? "HOLD" : "REFUSE");
    if (onGuard === "REFUSE") throw refusal(hits, whole);
    // Holds all rows of such an item, so that they keep their order.
    const held = new Set(hits.map(({ itemId }) => itemId));
    const applied = onGuard === "HOLD" ? [] : rows.filter(({ itemId }) => !held.has(itemId));
    if (applied.length === 0) return { call, applied, kept: { rows, heldFor, hits: hits.length } };
    const kept = rows.filter(({ itemId }) => held.has(itemId));
    const again = await tryRows({ store, timeZone: settings.timeZone, guards, rows: kept });
    return { call, applied, kept: { rows: kept, heldFor: again.heldFor, hits: hits.length } };
  }

  async function assertRoom(plans: readonly Plan[]): Promise<void> {
    const [first, ...others] = plans.filter(({ kept }) => kept !== undefined);
    if (first === undefined) return;
    const present = await world.holds.countWaiting(tenantOf(first.call.store));
    if (present + 1 + others.length > tenantLimits.heldRequests)
      throw new ProblemError("too-much-waiting", `${present} requests of the tenant are held: decide on them first.`);
  }

  /** Journals a request that changes nothing until it is approved; returns its number. */
  async function hold(call: GuardedCall, { rows, heldFor }: NonNullable<Plan["kept"]>): Promise<number> {
    const { store, settings, permit } = call;
    const { expiresAfter = DEFAULT_EXPIRES_AFTER } = settings.priceGuards ?? {};
    const expiresAt = expiryOf(rows, settings.timeZone, now(), expiresAfter * HOUR_MS);
    // Must be set before the request gets its number.
    const mark = await world.holdMarks.set(store);
    const hold: Hold = { ...heldFor, state: "WAITING", open: true, mark, sentBy: actorOf(permit), expiresAt };
    const [chunk] = await world.accept({ ...requestOf(call, rows), hold });
    // This call is a repetition, whose first run already held the request.
    if (chunk?.hold?.mark !== mark) await world.holdMarks.remove(store, [mark]);
    return chunk?.number ?? 0;
  }

  async function perform({ call, applied, kept }: Plan): Promise<Accepted> {
    const apply = () => acceptRows(requestOf(call, applied));
    if (kept === undefined) return { requestId: await apply() };
    // Held first, so that nothing has changed yet if this fails.
    const number = await hold(call, kept);
    return { requestId: applied.length === 0 ? number : await apply(), held: { requestId: number, rows: kept.hits } };
  }

  return {
    async acceptGuarded(call: GuardedCall): Promise<Accepted> {
      const planned = await plan(call);
      await assertRoom([planned]);
      return perform(planned);
    },

    /** Accepts one store's calls in order, after checking all of them. */
    async acceptAllGuarded(calls: readonly GuardedCall[]): Promise<Accepted[]> {
      const plans: Plan[] = [];
      for (const call of calls) plans.push(await plan(call));
      await assertRoom(plans);
      const accepted: Accepted[] = [];
      for (const planned of plans) accepted.push(await perform(planned));
      return accepted;
    },
  };
}

export type AcceptGuarded = ReturnType<typeof createAcceptGuarded>;

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
