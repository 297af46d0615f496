import { wait } from "./call.ts";
import type { Notice, Problem } from "./notice-text.ts";
import { readJson } from "./read-all.ts";

/** The outcome of a row of a request. */
export interface RowOutcome {
  itemId: string | null;
  status: string;
  errors: string[];
  notices?: Notice[];
}

export interface Outcomes {
  outcomes: RowOutcome[];
  /** Number of the request; absent if it was not accepted. */
  requestId?: number;
  /** Whether rows without an outcome are held, until a second person approves them. */
  isHeld?: true;
  /** Why the interface rejected the call; absent if it did not, or did not respond. */
  refusal?: Problem;
  /** The status of the response if there are no outcomes; absent if there was no response either. */
  status?: number;
}

const POLL_INTERVAL_MS = 300;
const RETRY_AFTER_MS = 2_000;
const MAX_FAILURES = 15;

/**
 * Sends a write of items and waits until each of its rows is done. Without a response there are no outcomes. Throws if
 * the outcomes cannot be read for half a minute.
 */
export async function outcomesOf(base: string, send: () => Promise<Response>): Promise<Outcomes> {
  const answer = await send().catch(() => undefined);
  if (answer?.status !== 202) {
    const refusal = (await answer?.json().catch(() => undefined)) as Problem | undefined;
    return {
      outcomes: [],
      ...(answer !== undefined && { status: answer.status }),
      ...(refusal && { refusal }),
    };
  }
  const { requestId, held } = (await answer.json()) as { requestId: number; held?: { requestId: number } };
  const isHeld = held !== undefined && { isHeld: true as const };
  if (held?.requestId === requestId) return { outcomes: [], requestId, ...isHeld };
  for (let failures = 0; failures < MAX_FAILURES; ) {
    const found = await readJson<{ status: string; itemResults: RowOutcome[] }>(
      `${base}/items-result/${requestId}`,
    ).catch(() => undefined);
    if (found?.status === "COMPLETED") return { outcomes: found.itemResults, requestId, ...isHeld };
    failures = found === undefined ? failures + 1 : 0;
    await wait(found === undefined ? RETRY_AFTER_MS : POLL_INTERVAL_MS);
  }
  throw new Error(`the outcomes of request ${requestId} cannot be read`);
}
