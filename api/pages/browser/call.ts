import { newKey } from "./new-key.ts";

/** A call of the interface with the session's rights. A write carries a key, so that a repeated one is done once. */
export async function call(method: string, address: string, body?: unknown, key: string = newKey()): Promise<Response> {
  const headers = {
    ...(method !== "GET" && { "idempotency-key": key }),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  return fetch(address, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** An element that the page is known to have. */
export function element<T extends HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Opens the buttons that do nothing before their script has come. */
export function enableButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-scripted]")) button.disabled = false;
}

export const wait = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
