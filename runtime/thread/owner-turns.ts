import { createTurns } from "../batch/turns.ts";

/** Thrown if too much work of this owner, or of all owners, is waiting. The rejected work was not started. */
export class TurnsFullError extends Error {
  override readonly name = "TurnsFullError";
  /** Whether the owner itself has reached its limit. */
  readonly isOfOwner: boolean;
  constructor(waiting: number, isOfOwner: boolean) {
    super(`work of size ${waiting} ${isOfOwner ? "of this owner" : "of all owners"} is already waiting`);
    this.isOfOwner = isOfOwner;
  }
}

/** The maximum size of waiting work, per owner and in total. If nothing else is waiting, a piece of work may have any size. */
export interface TurnBounds {
  ofOwner: number;
  inAll: number;
}

/** Runs work when its owner's turn comes; its size defaults to 1. Throws TurnsFullError if too much is waiting. */
export type InTurn = <Result>(owner: string, work: () => Promise<Result>, size?: number) => Promise<Result>;

interface Waiting {
  owner: string;
  size: number;
  begin(): void;
}

/**
 * Runs one piece of work at a time for owners that take turns: a piece waits for its own owner's earlier pieces and for at most
 * one piece from every other owner, however much work they have waiting.
 */
export function createOwnerTurns({ ofOwner, inAll }: TurnBounds): InTurn {
  const turns = createTurns<Waiting>(({ owner }) => [owner]);
  const waitingOf = new Map<string, number>();
  let waiting = 0;
  let isWorking = false;

  function count(owner: string, change: number): void {
    waiting += change;
    const left = (waitingOf.get(owner) ?? 0) + change;
    if (left === 0) waitingOf.delete(owner);
    else waitingOf.set(owner, left);
  }

  function next(): void {
    const entry = turns.take();
    isWorking = entry !== undefined;
    if (entry === undefined) return;
    count(entry.owner, -entry.size);
    entry.begin();
  }

  return async (owner, work, size = 1) => {
    const own = waitingOf.get(owner) ?? 0;
    if (own > 0 && own + size > ofOwner) throw new TurnsFullError(own, true);
    if (waiting > 0 && waiting + size > inAll) throw new TurnsFullError(waiting, false);
    const { promise, resolve } = Promise.withResolvers<void>();
    turns.add({ owner, size, begin: resolve });
    count(owner, size);
    if (!isWorking) next();
    await promise;
    try {
      return await work();
    } finally {
      next();
    }
  };
}
