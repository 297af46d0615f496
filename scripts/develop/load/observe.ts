import type { CallKind, PlannedCall } from "./plan/plan-calls.ts";
import { priceOf } from "./prices.ts";
import type { Clock } from "./send-at-times.ts";
import { itemIdOf, itemNameOf, type LoadStore } from "./set-up.ts";

/** The result of a planned call. Durations are milliseconds from its planned time. */
export interface Observed {
  call: PlannedCall;
  /** Milliseconds since 1970. */
  plannedAt: number;
  /** How much later than planned this program sent the call. */
  lateMs: number;
  status: number;
  /** The problem type of a rejected call, or why there was no response. */
  problem?: string;
  answeredMs: number;
  /** The number of an accepted change's request. */
  requestId?: number;
  /** Milliseconds until the caller read that the result is complete. */
  completedMs?: number;
  /** The caller's reads of the result: the time in milliseconds after the start, the response, and the duration. */
  reads: { at: number; status: number; problem?: string; ms: number }[];
}

const FIRST_READ_MS = 50;
const MAX_READ_INTERVAL_MS = 5_000;
const FLASH_SECONDS = 4;

/**
 * Returns how long a caller waits before it reads a result again: half as long as it has waited so far. So the measured time to
 * completion is accurate to within a third, and a long list's result is read only a few times.
 */
export const nextRead = (waitedMs: number): number =>
  Math.min(MAX_READ_INTERVAL_MS, Math.max(FIRST_READ_MS, waitedMs / 2));

interface Options {
  stores: readonly LoadStore[];
  /** The start of the run, in milliseconds since 1970. */
  start: number;
  /** Seconds since 1970 from which prices count. */
  priceStart: number;
  clock: Clock;
  /** How long a caller reads a result after its change was accepted. */
  patienceMs: number;
}

/** Returns the function that sends a planned call, follows its result, and reports the outcome. */
export function createObserver({ stores, start, priceStart, clock, patienceMs }: Options) {
  const changes = new Map<string, number>();

  function nextPrice(store: number, label: number): string {
    const key = `${store} ${label}`;
    const change = (changes.get(key) ?? 0) + 1;
    changes.set(key, change);
    return priceOf(priceStart, { store, label, change });
  }

  function requestOf({ kind, store, labels: [label = 0] }: PlannedCall, { barcodes }: LoadStore) {
    if (kind === "urgent")
      return { method: "PATCH", path: `/items/${itemIdOf(label)}`, body: { price: nextPrice(store, label) } };
    if (kind === "flash")
      return { method: "POST", path: `/labels/${barcodes[label]}/flash`, body: { duration: FLASH_SECONDS } };
    const row = (index: number) => ({
      ...{ itemId: itemIdOf(index), itemName: itemNameOf(index), price: nextPrice(store, index) },
    });
    return { method: "PATCH", path: "/items", body: barcodes.map((_, index) => row(index)) };
  }

  async function follow(observed: Observed, { caller, base }: LoadStore): Promise<void> {
    const began = clock.now();
    for (let waited = 0; waited < patienceMs; waited = clock.now() - began) {
      const plannedAt = clock.now() + nextRead(waited);
      await clock.wait(nextRead(waited));
      const { status, problem, body } = await caller.send("GET", `${base}/items-result/${observed.requestId}`);
      const now = clock.now();
      observed.reads.push({ at: plannedAt - start, status, ...(problem && { problem }), ms: now - plannedAt });
      if (status !== 200 || (body as { status: string }).status !== "COMPLETED") continue;
      observed.completedMs = now - observed.plannedAt;
      return;
    }
  }

  return async (call: PlannedCall, plannedAt: number): Promise<Observed> => {
    const store = stores[call.store];
    if (store === undefined) throw new RangeError(`no store has the index ${call.store}`);
    const { method, path, body } = requestOf(call, store);
    const lateMs = Math.max(0, clock.now() - plannedAt);
    const answer = await store.caller.send(method, `${store.base}${path}`, body);
    const { status, problem } = answer;
    const { requestId } = (answer.body ?? {}) as { requestId?: number };
    const observed: Observed = {
      ...{ call, plannedAt, lateMs, status, answeredMs: clock.now() - plannedAt, reads: [] },
      ...(problem !== undefined && { problem }),
      ...(requestId !== undefined && { requestId }),
    };
    if (requestId !== undefined && call.isFollowed) await follow(observed, store);
    return observed;
  };
}

/** Whether the response accepts the call. */
export const isAnswered = (status: number): boolean => status >= 200 && status < 400;
export type ReportedKind = CallKind | "result";
