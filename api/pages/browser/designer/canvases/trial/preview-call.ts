import type { Preview, Previewing, Refusal } from "./preview.ts";

const PAUSE_MS = 1000;

/** Previews through the interface. It carries no key: a preview stores nothing, so that a repetition is harmless. */
export const previewing =
  (manage: string, storeId: string): Previewing =>
  async (order, signal) => {
    const body = JSON.stringify({ ...order, storeId, draft: true });
    const headers = { "content-type": "application/json" };
    const address = `${manage}/designs/preview`;
    for (;;) {
      const answer = await fetch(address, { method: "POST", headers, body, signal: signal ?? null });
      if (answer.status === 429 || answer.status === 503) {
        await new Promise((done) => setTimeout(done, PAUSE_MS));
        continue;
      }
      if (answer.status === 401) location.reload();
      const told = (await answer.json()) as Preview & { errors?: Refusal["errors"]; detail?: string };
      if (answer.ok) return told;
      const errors = told.errors ?? [{ pointer: "", detail: told.detail ?? String(answer.status) }];
      return { errors: errors.map(({ pointer, detail }) => ({ pointer: pointer.replace(/^\/canvas/, ""), detail })) };
    }
  };

/** The bytes of a picture of the interface. */
export const bytesOf = (png: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
