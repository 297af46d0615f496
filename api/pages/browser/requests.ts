import { wait } from "./call.ts";
import { readJson } from "./read-all.ts";

/** What became of a row of a request. */
export interface RowOutcome {
  itemId: string | null;
  status: string;
  errors: string[];
}

export interface Outcomes {
  outcomes: RowOutcome[];
  /** Why the interface refused the call, in its words. */
  refusal?: string;
}

const POLL_INTERVAL_MS = 300;

/** Sends a write of items and waits until each of its rows is done. Without an answer there are no outcomes. */
export async function outcomesOf(base: string, send: () => Promise<Response>): Promise<Outcomes> {
  const answer = await send().catch(() => undefined);
  if (answer?.status !== 202) {
    const problem = (await answer?.json().catch(() => ({}))) as { detail?: string } | undefined;
    return { outcomes: [], ...(problem?.detail !== undefined && { refusal: problem.detail }) };
  }
  const { requestId } = (await answer.json()) as { requestId: number };
  for (;;) {
    const { status, itemResults } = await readJson<{ status: string; itemResults: RowOutcome[] }>(
      `${base}/items-result/${requestId}`,
    );
    if (status === "COMPLETED") return { outcomes: itemResults };
    await wait(POLL_INTERVAL_MS);
  }
}
