import { setTimeout } from "node:timers/promises";

const UNAVAILABLE = 503;
const RETRY_INTERVAL_MS = 1_000;

/**
 * Makes a call, again each second while it gets 503, up to `maxAttempts` times: a busy machine has no time for some calls, and a
 * call that gets 503 has changed nothing. Returns the last response.
 */
export async function repeatUnavailable<Answer extends { status: number }>(
  send: () => Promise<Answer>,
  maxAttempts: number,
): Promise<Answer> {
  let answer = await send();
  for (let attempt = 1; answer.status === UNAVAILABLE && attempt < maxAttempts; attempt += 1) {
    await setTimeout(RETRY_INTERVAL_MS);
    answer = await send();
  }
  return answer;
}
