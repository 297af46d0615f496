import { wait } from "../call.ts";
import type { ShownCause } from "../state-of-cause.ts";
import { tryCall } from "./send.ts";

const LOOK_INTERVAL_MS = 500;
/** How long the page waits for a label's picture; the picture may still arrive later. */
const PATIENCE_MS = 60_000;

/** What is known about a label: why it shows its picture, and what is being sent to it. */
export interface Seen {
  cause: ShownCause;
  /** The picture that it shows, and the newest one if it is different; absent if there is none. */
  shown?: string;
  next?: string;
  name?: string;
  isLinked: boolean;
  /** Number of products on the label. */
  positions: number;
}

interface Explanation {
  cause: ShownCause;
  glass: { page: number; image: string }[];
  records: { image: string | null }[];
  positions: { item: { itemId: string; itemName: string | null } | null; link: { status: string } | null }[];
}

/** Reads once what is known about a label; undefined if it cannot be read. */
export async function lookAt(label: string): Promise<Seen | undefined> {
  const answer = await tryCall("GET", `${label}/explain`);
  if (!answer?.ok) return undefined;
  const { cause, glass, records, positions } = (await answer.json()) as Explanation;
  const shown = glass.find(({ page }) => page === 0)?.image;
  const newest = records[0]?.image ?? undefined;
  const item = positions[0]?.item;
  const name = item?.itemName ?? item?.itemId;
  return {
    cause,
    positions: positions.length,
    isLinked: positions.some(({ link }) => link !== null && link.status !== "DELETED"),
    ...(shown !== undefined && { shown }),
    ...(newest !== undefined && newest !== shown && { next: newest }),
    ...(name !== undefined && { name }),
  };
}

/** Polls a label until it shows its newest picture, and reports every poll; ends early if `isOver` returns true. */
export async function follow(label: string, show: (seen: Seen) => void, isOver: () => boolean): Promise<void> {
  for (const begun = performance.now(); performance.now() - begun < PATIENCE_MS; await wait(LOOK_INTERVAL_MS)) {
    const seen = await lookAt(label);
    if (isOver()) return;
    if (seen === undefined) continue;
    show(seen);
    if (seen.cause === "UP_TO_DATE" || (seen.cause === "NOT_LINKED" && !seen.isLinked)) return;
  }
}
