import type { createCarryOutHold } from "../../queues/requests/carry-out-hold.ts";
import { schedules } from "../../records/kinds/items.ts";
import type { Records } from "../../records/records.ts";
import type { HeldRecord, Holds } from "../../records/requests/held/holds.ts";
import type { Journal } from "../../records/requests/journal.ts";
import type { Hold } from "../../schemas/held-request.ts";
import type { ItemPatch } from "../../schemas/item.ts";
import { chunkKey, itemKey } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { numberOf } from "../../schemas/stamp.ts";
import type { StoreRecord } from "../../schemas/store.ts";
import { actorOf } from "../access/actor-of.ts";
import type { Permit } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { TryRows } from "./try-rows.ts";

export interface DecideHeldWorld {
  records: Pick<Records, "readFields">;
  journal: Pick<Journal, "read">;
  holds: Holds;
  carryOutHold: ReturnType<typeof createCarryOutHold>;
  tryRows: TryRows;
  /** The database's current time. */
  databaseNow(): Date;
}

/** A call that decides on a held request. */
interface Decision {
  store: string;
  settings: Stored<StoreRecord>;
  permit: Permit;
  number: number;
  note: string | undefined;
}

/** Decides on held requests. The person who sent a request cannot decide on it, and only a waiting request can be decided. */
export function createDecideHeld(world: DecideHeldWorld) {
  const { holds, carryOutHold, databaseNow } = world;

  async function waiting({ store, number, permit }: Decision): Promise<HeldRecord> {
    const held = await holds.read(store, number);
    if (held === undefined) throw noHeld(number);
    const { state, expiresAt, sentBy } = held.hold;
    if (state !== "WAITING") throw decided(number, `it is ${state}`);
    if (databaseNow() >= expiresAt) throw decided(number, "it has expired");
    assertSecondPerson(permit, sentBy, number);
    return held;
  }

  async function decide(decision: Decision, held: HeldRecord, state: "APPROVED" | "REFUSED"): Promise<HeldRecord> {
    const { store, number, permit, note } = decision;
    const changes = { state, decision: { at: databaseNow(), by: actorOf(permit), ...(note && { note }) } };
    if (!(await holds.change(store, number, held.hold, changes)))
      throw decided(number, "somebody else has decided on it, or its prices were checked again");
    const after = { ...held, hold: { ...held.hold, ...changes } };
    await carryOutHold.decided(after);
    return after;
  }

  /**
   * Checks the guards again. If they find something that the approver has not seen, the request is not approved; it keeps
   * the new findings instead.
   */
  async function tryAgain({ store, settings, number }: Decision, held: HeldRecord): Promise<void> {
    const rows = await readRows(world.journal, held);
    const { timeZone, priceGuards: guards = {} } = settings;
    const { heldFor } = await world.tryRows({ store, timeZone, guards, rows, number });
    if (heldFor.digest !== held.hold.digest && !isWithin(heldFor, held.hold)) {
      await holds.change(store, number, held.hold, heldFor);
      throw decided(number, "the store has changed since its prices were checked; look at them again");
    }
    const overtaken = await scheduledSince(world.records, held, rows);
    if (overtaken !== undefined)
      throw decided(
        number,
        `scheduled changes of the item "${overtaken}" have changed since; refuse the request and send it again`,
      );
  }

  return {
    async approve(decision: Decision): Promise<HeldRecord> {
      const held = await waiting(decision);
      await tryAgain(decision, held);
      return decide(decision, held, "APPROVED");
    },
    refuse: async (decision: Decision): Promise<HeldRecord> => decide(decision, await waiting(decision), "REFUSED"),
  };
}

/** The 404 for a request that was not held. */
export const noHeld = (number: number) => new ProblemError("not-found", `No request ${number} is or was held.`);

const decided = (number: number, why: string) =>
  new ProblemError("conflict", `The request ${number} cannot be decided: ${why}.`);

function assertSecondPerson(permit: Permit, sentBy: Hold["sentBy"], number: number): void {
  if (permit.subject === undefined)
    throw new ProblemError(
      "forbidden",
      "The token has no subject, so the decision could not be attributed to anybody.",
    );
  if (actorOf(permit).id === sentBy.id)
    throw new ProblemError(
      "forbidden",
      `"${sentBy.id}" sent the request ${number}: a second person must decide on it.`,
    );
}

async function readRows(journal: Pick<Journal, "read">, { store, number, chunks }: HeldRecord): Promise<ItemPatch[]> {
  const rows: ItemPatch[] = [];
  for (let index = 0; index < chunks; index += 1) {
    const key = chunkKey(store, number, index);
    rows.push(...(JSON.parse((await journal.read([key])).get(key)?.rows ?? "[]") as ItemPatch[]));
  }
  return rows;
}

/** Whether the approver has seen every finding that is left, that is, newer prices have only removed rows. */
function isWithin(now: Pick<Hold, "rows" | "whole" | "count">, shown: Pick<Hold, "rows" | "whole" | "count">): boolean {
  if (now.count > now.rows.length || shown.count > shown.rows.length) return false;
  const known = new Set(shown.rows.map(({ notices, ...row }) => JSON.stringify([row.row, row.was, notices])));
  const codes = new Set(shown.whole.map(({ code }) => code));
  return (
    now.rows.every(({ notices, ...row }) => known.has(JSON.stringify([row.row, row.was, notices]))) &&
    now.whole.every(({ code }) => codes.has(code))
  );
}

/**
 * Finds a scheduled row that its item's schedule would no longer accept, because later scheduled changes have been applied or
 * cancelled since. Returns the item's id.
 */
async function scheduledSince(
  records: Pick<Records, "readFields">,
  { store, number }: HeldRecord,
  rows: readonly ItemPatch[],
): Promise<string | undefined> {
  const ids = rows.flatMap(({ itemId, validFrom }) => (validFrom ? [itemKey(store, itemId)] : []));
  const found = await records.readFields(schedules, ids, ["itemId", "floor"]);
  return [...found.values()].find(({ floor = 0 }) => numberOf(floor) > number)?.itemId;
}
