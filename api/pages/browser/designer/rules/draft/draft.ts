import { call } from "../../../call.ts";
import { newKey } from "../../../new-key.ts";
import { data, draftAddress, type Pack } from "../desk.ts";
import { editablePack } from "./editable-pack.ts";

/** The draft as it is stored. */
export interface StoredDraft {
  content: Pack;
  author: string;
  tag: string | undefined;
}

/** Saves rules as the draft, unless somebody else has saved since the draft with this entity tag; undefined for none. */
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

/** The stored draft; undefined if there is none. */
export async function readDraft(): Promise<StoredDraft | undefined> {
  const answer = await call("GET", draftAddress).catch(() => undefined);
  if (!answer?.ok) return undefined;
  const { content, author } = (await answer.json()) as { content: Record<string, unknown>; author: string };
  return { content: editablePack(content, keyOf), author, tag: answer.headers.get("etag") ?? undefined };
}

/** The key of a design by its key or its id. */
const keyOf = (design: string): string =>
  data.designs.find(({ key }) => key === design || key.endsWith(`/designs/${design}`))?.key ?? design;
