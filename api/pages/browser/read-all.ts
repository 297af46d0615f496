import { call, wait } from "./call.ts";

const RETRY_AFTER_MS = 2_000;
const ENTRIES_PER_CALL = 1_000;

/** Reads JSON from the interface; waits if the caller's rate is used up. Throws if the call is rejected. */
export async function readJson<T>(address: string): Promise<T> {
  const answer = await call("GET", address);
  if (answer.status === 429 || answer.status === 503) {
    await wait(RETRY_AFTER_MS);
    return readJson(address);
  }
  if (answer.status === 401) location.reload();
  if (!answer.ok) throw new Error(`${answer.status} of ${address}`);
  return (await answer.json()) as T;
}

/** Reads a list from the API completely, page by page. */
export async function* readList<T>(address: string): AsyncGenerator<T[]> {
  const separator = address.includes("?") ? "&" : "?";
  for (let start = 0; ; start += ENTRIES_PER_CALL) {
    const found = await readJson<T[]>(`${address}${separator}start=${start}&limit=${ENTRIES_PER_CALL}`);
    yield found;
    if (found.length < ENTRIES_PER_CALL) return;
  }
}
