import { call } from "../../../call.ts";
import { newKey } from "../../../new-key.ts";
import type { StoredDraft } from "../../publishing/conflict.ts";
import { data, draftAddress, type Pack } from "../desk.ts";
import { editablePack } from "./editable-pack.ts";

/**
 * Saves rules as the draft, unless somebody else has replaced the draft that has this entity tag. The tag is undefined
 * if there was no draft.
 */
export const putDraft = (content: Pack, seenTag: string | undefined): Promise<Response | undefined> =>
  fetch(draftAddress, {
    method: "PUT",
    headers: {
      "idempotency-key": newKey(),
      "content-type": "application/json",
      ...(seenTag === undefined ? { "if-none-match": "*" } : { "if-match": seenTag }),
    },
    body: JSON.stringify({ content }),
  }).catch(() => undefined);

/** Discards the draft, unless somebody else has replaced the draft that has this entity tag. */
export const deleteDraft = (seenTag: string): Promise<Response | undefined> =>
  fetch(draftAddress, {
    method: "DELETE",
    headers: { "idempotency-key": newKey(), "if-match": seenTag },
  }).catch(() => undefined);

/** Returns the stored draft; undefined if there is none. Throws if it cannot be read. */
export async function readDraft(): Promise<StoredDraft<Pack> | undefined> {
  const answer = await call("GET", draftAddress);
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`${answer.status} of ${draftAddress}`);
  const { content, author } = (await answer.json()) as { content: Record<string, unknown>; author: string };
  return { content: editablePack(content, keyOf), author, tag: answer.headers.get("etag") ?? undefined };
}

/** Returns the key of a design, given its key or id. */
const keyOf = (design: string): string =>
  data.designs.find(({ key }) => key === design || key.endsWith(`/designs/${design}`))?.key ?? design;
