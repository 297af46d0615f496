import { wait } from "../call.ts";
import { tryCall } from "./send.ts";
import type { Kind } from "./steps.ts";

/** How long a scan waits to learn whether its code is a label's; after that, the current step decides. */
const KIND_TIMEOUT_MS = 2_500;

/**
 * Returns the meaning of a code, as far as the interface knows it; for a label, also how many products a new label of its
 * type shows.
 */
export async function kindOf(base: string, code: string): Promise<{ kind: Kind; positions?: number }> {
  if (!navigator.onLine) return { kind: "unknown" };
  // A code of only digits could be read as a label type, so such a label must already exist.
  const isNumber = /^\d+$/.test(code);
  const place = encodeURIComponent(code);
  const asked = isNumber ? `${base}/labels/${place}?projection=S` : `${base}/labels/models/${place}`;
  const answer = await Promise.race([tryCall("GET", asked), wait(KIND_TIMEOUT_MS).then(() => undefined)]);
  if (answer?.status === 404 || answer?.status === 400) return { kind: "product" };
  if (!answer?.ok) return { kind: "unknown" };
  if (isNumber) return { kind: "label" };
  // A new label gets the first model.
  const [model] = ((await answer.json()) as { models: { linkPositions: number }[] }).models;
  return model === undefined ? { kind: "product" } : { kind: "label", positions: model.linkPositions };
}
