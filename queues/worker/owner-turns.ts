import { createTurns } from "../batch/turns.ts";

/** Thrown where too much waits for a turn: of this owner, or of all. Nothing of the work was done. */
export class TurnsFullError extends Error {
  override readonly name = "TurnsFullError";
  /** Whether the owner itself has as much waiting as it may. */
  readonly isOfOwner: boolean;
  constructor(waiting: number, isOfOwner: boolean) {
    super(`${waiting} pieces of work ${isOfOwner ? "of this owner" : "of all owners"} wait already`);
    this.isOfOwner = isOfOwner;
  }
}

export interface TurnBounds {
  /** Pieces of work that wait, of one owner and of all. */
  ofOwner: number;
  inAll: number;
}

/** Does work when its owner's turn comes. Throws TurnsFullError where too much waits; `most` of its owner, if that is less. */
export type InTurn = <Result>(owner: string, work: () => Promise<Result>, most?: number) => Promise<Result>;

interface Waiting {
  owner: string;
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

  function count(owner: string, change: 1 | -1): void {
    waiting += change;
    const left = (waitingOf.get(owner) ?? 0) + change;
    if (left === 0) waitingOf.delete(owner);
    else waitingOf.set(owner, left);
  }

  function next(): void {
    const entry = turns.take();
    isWorking = entry !== undefined;
    if (entry === undefined) return;
    count(entry.owner, -1);
    entry.begin();
  }

  return async (owner, work, most = ofOwner) => {
    const own = waitingOf.get(owner) ?? 0;
    if (own >= Math.min(most, ofOwner)) throw new TurnsFullError(own, true);
    if (waiting >= inAll) throw new TurnsFullError(waiting, false);
    const { promise, resolve } = Promise.withResolvers<void>();
    turns.add({ owner, begin: resolve });
    count(owner, 1);
    if (!isWorking) next();
    await promise;
    try {
      return await work();
    } finally {
      next();
    }
  };
}
