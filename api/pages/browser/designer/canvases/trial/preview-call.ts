import type { Preview, Previewing, PreviewingMany, Refusal } from "./preview-shapes.ts";

const PAUSE_MS = 1000;

/** Requests previews through the interface: one picture per call. */
export const previewing =
  (manage: string, storeId: string): Previewing =>
  (order, signal) =>
    send<Preview>(`${manage}/designs/preview`, { ...order, storeId, draft: true }, signal);

/** Requests the pictures of several items on several label types, in one call. */
export const previewingMany =
  (manage: string, storeId: string): PreviewingMany =>
  (order) =>
    send(`${manage}/designs/previews`, { ...order, storeId, draft: true });

/** Requests pictures. The call carries no key, because a preview stores nothing and a repetition is harmless. */
async function send<Answer>(address: string, order: object, signal?: AbortSignal): Promise<Answer | Refusal> {
  const body = JSON.stringify(order);
  const headers = { "content-type": "application/json" };
  for (;;) {
    const answer = await fetch(address, { method: "POST", headers, body, signal: signal ?? null });
    if (answer.status === 429 || answer.status === 503) {
      await new Promise((done) => setTimeout(done, PAUSE_MS));
      continue;
    }
    if (answer.status === 401) location.reload();
    const told = (await answer.json()) as Answer & { errors?: Refusal["errors"]; detail?: string };
    if (answer.ok) return told;
    const errors = told.errors ?? [{ pointer: "", detail: told.detail ?? String(answer.status) }];
    return { errors: errors.map(({ pointer, detail }) => ({ pointer: pointer.replace(/^\/canvas/, ""), detail })) };
  }
}

/** Returns the bytes of a picture in a response. */
export const bytesOf = (png: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
