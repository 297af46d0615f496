import { ProblemError } from "../http/problem-error.ts";

/** The share of the budget used by the bodies of one call. */
export interface HeldBytes {
  /**
   * Adds bytes that have arrived, or memory that is about to be allocated for them. Throws a ProblemError (503) if
   * there is no room.
   */
  add(bytes: number): void;
  /** Frees all of it once the call has ended. */
  free(): void;
}

/** The decompressed bytes of all bodies in this process. */
export interface BodyBudget {
  /** Starts a call by an owner, usually the tenant. */
  begin(owner: string): HeldBytes;
}

export interface BudgetLimits {
  /** For all owners together. */
  total: number;
  /** One owner's share: at least the size of the largest body. */
  share: number;
}

const RETRY_AFTER = { "retry-after": "2" };

/**
 * Bounds the memory of bodies in flight. An owner can use its share, but only part of what is still free: the more is in
 * use, the less each owner may add. However many owners send large bodies, a small body of another owner still fits.
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
