import { newKey } from "./new-key.ts";

/** Calls the interface with the session's rights. A write carries a key, so that a repetition is executed once. */
export async function call(
  method: string,
  address: string,
  body?: unknown,
  key: string = newKey(),
  signal: AbortSignal | null = null,
): Promise<Response> {
  const headers = {
    ...(method !== "GET" && { "idempotency-key": key }),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  return fetch(address, { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** Returns an element of the page, which must exist. */
export function element<T extends HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Returns the label text of the innermost input on a JSON Pointer's path that this part of the page has. */
export const fieldNamesIn =
  (part: ParentNode) =>
  (pointer: string): string | undefined =>
    pointer
      .split("/")
      .slice(1)
      .toReversed()
      .map((name) => CSS.escape(name.replaceAll("~1", "/").replaceAll("~0", "~")))
      .map((name) => part.querySelector(`[name="${name}"], [data-property="${name}"], [data-part="${name}"]`))
      .map((input) => input?.closest("label")?.querySelector("span")?.textContent)
      .find(Boolean) ?? undefined;

/** Returns the address of the page for one label or item, given the address for all of them, which may end with a query. */
export function addressBelow(address: string, id: string): string {
  const [path = "", query] = address.split("?");
  return `${path}${encodeURIComponent(id)}${query ? `?${query}` : ""}`;
}

let hasCome = false;

/** Enables the buttons that do nothing before the page's script has loaded. Each script ends with this call. */
export function enableButtons(): void {
  hasCome = true;
  enableFetched(document);
}

/** Enables the buttons of a part that is fetched later, in the same way. */
export function enableFetched(part: ParentNode): void {
  if (!hasCome) return;
  for (const button of part.querySelectorAll<HTMLButtonElement>("button[data-scripted]")) button.disabled = false;
}

export const wait = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
