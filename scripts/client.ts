import type { Static } from "typebox";
import type { ItemPatch } from "../schemas/item.ts";
import type { LabelPatch } from "../schemas/label.ts";
import type { Outcome, Receipt, RequestStatus } from "../schemas/request.ts";

/** A client of a store's public interface, with the calls that the scripts need. */
export interface Client {
  /** With `priceList`, the rows belong to that price list. */
  patchItems(rows: readonly ItemPatch[], priceList?: string): Promise<number>;
  patchLabels(rows: readonly LabelPatch[]): Promise<number>;
  itemsResult(requestId: number): Promise<{ status: RequestStatus; outcomes: Outcome[] }>;
  labelsResult(requestId: number): Promise<{ status: RequestStatus; outcomes: Outcome[] }>;
  listItems(query: string): Promise<{ itemId: string; price: string | null }[]>;
  listLabels(query: string): Promise<{ barcode: string; plState: string; lastUpdate: string | null }[]>;
}

const MAX_ATTEMPTS = 20;
const RETRY_INTERVAL_MS = 1000;

/** A call that was rejected, or that had no response after all attempts. */
export class CallError extends Error {
  override readonly name = "CallError";
}

export function createClient(store: {
  origin: string;
  tenantId: string;
  storeId: string;
  token: string;
  /** Attempts of each call, a second apart, before it fails. */
  maxAttempts?: number;
  /** Called with the reason for sending a call again. */
  onRetry?: (reason: string) => void;
}): Client {
  const { origin, tenantId, storeId, token, maxAttempts = MAX_ATTEMPTS, onRetry } = store;
  const base = `${origin}/t/${tenantId}/s/${storeId}/api/public/core/v1`;

  async function call<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch((error: Error) => error);
      if (answer instanceof Response && answer.ok) return (await answer.json()) as Result;
      const isTemporary = answer instanceof Error || answer.status === 503 || answer.status === 429;
      const reason =
        answer instanceof Error ? silenceOf(origin, answer) : `${answer.status} ${detailOf(await answer.text())}`;
      if (!isTemporary || attempt >= maxAttempts) throw new CallError(`${method} ${path}: ${reason}`);
      onRetry?.(reason);
      await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL_MS));
    }
  }

  return {
    async patchItems(rows, priceList) {
      const path = priceList === undefined ? "/items" : `/items?priceList=${priceList}`;
      const { requestId, held } = await call<Static<typeof Receipt>>("PATCH", path, rows);
      if (held === undefined) return requestId;
      throw new CallError(
        `${held.rows} rows hit price guards: request ${held.requestId} is held until a second person approves it`,
      );
    },
    patchLabels: async (rows) => (await call<{ requestId: number }>("PATCH", "/labels", rows)).requestId,
    async itemsResult(requestId) {
      type Result = { status: RequestStatus; itemResults: Outcome[] };
      const { status, itemResults } = await call<Result>("GET", `/items-result/${requestId}`);
      return { status, outcomes: itemResults };
    },
    async labelsResult(requestId) {
      type Result = { status: RequestStatus; results: Outcome[] };
      const { status, results } = await call<Result>("GET", `/labels-result/${requestId}`);
      return { status, outcomes: results };
    },
    listItems: (query) => call("GET", `/items?${query}`),
    listLabels: (query) => call("GET", `/labels?${query}`),
  };
}

/** Returns why fetch failed: the reason is only in the cause of its error. */
const silenceOf = (origin: string, { message, cause }: Error): string =>
  `${origin} does not respond: ${cause instanceof Error ? cause.message : message}. Start web, or correct its address`;

/** Returns the message of a problem document, or the text of any other body, such as a proxy's. */
function detailOf(text: string): string {
  try {
    return (JSON.parse(text) as { detail?: string }).detail ?? text;
  } catch {
    return text;
  }
}
