import { setTimeout } from "node:timers/promises";
import type { DemoStack } from "../../demo/with-stack.ts";

const POLL_INTERVAL_MS = 500;

/** A demo store to photograph. */
export interface Shop {
  origin: string;
  token: string;
  /** Calls the store's interface. Throws if the call is rejected. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** Resolves once every label shows its newest picture. */
  untilRight(): Promise<void>;
}

/** Returns the demo store of a running stack. */
export function openShop({ stack: { origin }, base, token }: DemoStack): Shop {
  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(base + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
  async function untilRight(): Promise<void> {
    for (;;) {
      const { plState } = (await (await call("GET", "/labels/summary")).json()) as { plState: Record<string, number> };
      const waiting = Object.entries(plState).filter(([state, count]) => state !== "OK" && count > 0);
      if (plState.OK !== undefined && waiting.length === 0) return;
      await setTimeout(POLL_INTERVAL_MS);
    }
  }
  return { origin, token, call, untilRight };
}
