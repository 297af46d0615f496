import { ProblemError } from "../http/problem-error.ts";

/** What the bodies of one call take of the budget. */
export interface HeldBytes {
  /** Adds what has arrived, or is about to be made of it. Throws a ProblemError (503) if there is no room for it. */
  add(bytes: number): void;
  /** Frees all of it, once the call's work is done. */
  free(): void;
}

/** The bytes of all bodies that this process is working on, unpacked. */
export interface BodyBudget {
  /** Begins a call of an owner, the tenant in most cases. */
  begin(owner: string): HeldBytes;
}

export interface BudgetLimits {
  /** Of all owners together. */
  total: number;
  /** Of one owner: at least what the largest body takes. */
  share: number;
}

const RETRY_AFTER = { "retry-after": "2" };

/**
 * Bounds the memory of bodies in flight. An owner has its share, and never more than what is left free beside it: so the more
 * is taken, the less each may add, and no number of owners with large bodies leaves nothing for a small one of another.
 */
export function createBodyBudget({ total, share }: BudgetLimits): BodyBudget {
  const byOwner = new Map<string, number>();
  let taken = 0;

  function change(owner: string, bytes: number): void {
    const after = (byOwner.get(owner) ?? 0) + bytes;
    taken += bytes;
    if (after === 0) byOwner.delete(owner);
    else byOwner.set(owner, after);
  }

  return {
    begin(owner) {
      let held = 0;
      let isOver = false;
      return {
        add(bytes) {
          const wanted = (byOwner.get(owner) ?? 0) + bytes;
          if (isOver || wanted > Math.min(share, total - taken - bytes)) {
            const detail = "Too many large bodies are being processed. Nothing was changed; send the request again.";
            throw new ProblemError("busy", detail, { headers: RETRY_AFTER });
          }
          held += bytes;
          change(owner, bytes);
        },
        free() {
          isOver = true;
          change(owner, -held);
          held = 0;
        },
      };
    },
  };
}
