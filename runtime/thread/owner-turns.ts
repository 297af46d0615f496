import { createTurns } from "../batch/turns.ts";

/** Thrown where too much waits for a turn: of this owner, or of all. Nothing of the work was done. */
export class TurnsFullError extends Error {
  override readonly name = "TurnsFullError";
  /** Whether the owner itself has as much waiting as it may. */
  readonly isOfOwner: boolean;
  constructor(waiting: number, isOfOwner: boolean) {
    super(`work of size ${waiting} ${isOfOwner ? "of this owner" : "of all owners"} is already waiting`);
    this.isOfOwner = isOfOwner;
  }
}

/** The size of what may wait, of one owner and of all. One piece may wait alone, whatever its size. */
export interface TurnBounds {
  ofOwner: number;
  inAll: number;
}

/** Does work when its owner's turn comes; its size is 1 if absent. Throws TurnsFullError if too much waits. */
export type InTurn = <Result>(owner: string, work: () => Promise<Result>, size?: number) => Promise<Result>;

interface Waiting {
  owner: string;
  size: number;
  begin(): void;
}

/**
 * Does one piece of work at a time for owners who have turns: a piece waits for at most one of each other owner, and for
 * those of its own owner that came before, however much the others have waiting.
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
