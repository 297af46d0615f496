import { setTimeout } from "node:timers/promises";
import type { ItemPatch } from "../../../schemas/item.ts";
import { type Lull, lullsOf } from "./lulls.ts";
import { isIdle, type Waiting } from "./waiting.ts";
import { drawWanted, type Wanted } from "./wanted-pictures.ts";

/** When the labels became correct, by the clock of `performance.now()`. */
export interface GlassFindings {
  stale: Wanted[];
  /** Labels that became correct after the first check or not at all. */
  left: number;
  /** When the last correct label was first found correct. */
  rightAt: number;
  /** The periods of at least `LULL_MS` in which no label became correct, and what was waiting. */
  lulls: Lull[];
}

interface Options {
  /** Address of the emulated label server. */
  emulator: string;
  /** Type of the labels. */
  type: number;
  expected: readonly ItemPatch[];
  /** When lulls begin to count. */
  since: number;
  readWaiting(): Promise<Waiting>;
  /** Called at each check with the number of labels that received a different picture since the previous check. */
  onLook?(at: number, changed: number): Promise<void>;
}

const POLL_INTERVAL_MS = 250;
const GLASS_TIMEOUT_MS = 300_000;
const LULL_MS = 3_000;
/** If no label has changed for this long and nothing is under way, the expected pictures are drawn and compared. */
const CALM_MS = 1_500;
/**
 * The watch also ends if no label has changed for this long. The outbox keeps a killed writer's entry for minutes, since its
 * write may still arrive.
 */
const STILL_MS = 20_000;

/**
 * Waits until every label shows the picture of its last price. Reports when the last label became correct, and in which
 * intervals none did. The expected pictures are drawn only once nothing changes, so that the pipeline has the processors for
 * itself until then.
 */
export async function watchGlass(options: Options): Promise<GlassFindings> {
  const { emulator, type, expected, since, readWaiting, onLook } = options;
  const shown = new Map<string, { sha256: string; at: number }>();
  const readGlass = createGlassReader(emulator);
  const notes: { at: number; waiting: Waiting }[] = [];
  const deadline = performance.now() + GLASS_TIMEOUT_MS;
  let wanted: Wanted[] | undefined;
  let movedAt = since;
  let firstLookAt: number | undefined;
  for (;;) {
    const at = performance.now();
    const changed = noteShown(shown, await readGlass(), at);
    if (shown.size > 0) firstLookAt ??= at;
    if (changed > 0) movedAt = at;
    await onLook?.(at, changed);
    const isCalm = at - movedAt > CALM_MS;
    if (isCalm && wanted === undefined) {
      // While a database or Redis is unreachable, it is unknown whether work is waiting, so the watch goes on.
      const waiting = await readWaiting().catch(() => undefined);
      if (waiting) notes.push({ at, waiting });
      if (waiting && (isIdle(waiting) || at - movedAt > STILL_MS)) wanted = await drawWanted(expected, type);
    }
    if (at > deadline) wanted ??= await drawWanted(expected, type);
    const stale = wanted?.filter(({ barcode, sha256 }) => shown.get(barcode)?.sha256 !== sha256);
    if (wanted && stale && (stale.length === 0 || at > deadline)) {
      const isStale = new Set(stale);
      const times = wanted.filter((one) => !isStale.has(one)).map(({ barcode }) => shown.get(barcode)?.at ?? since);
      const rightAt = times.reduce((last, time) => Math.max(last, time), since);
      const left = stale.length + times.filter((time) => time > (firstLookAt ?? since)).length;
      return { stale, left, rightAt, lulls: lullsOf({ times, since, notes, leastMs: LULL_MS }) };
    }
    await setTimeout(POLL_INTERVAL_MS);
  }
}

/** Records when each label began to show its picture. Returns how many show a different picture than before. */
function noteShown(
  shown: Map<string, { sha256: string; at: number }>,
  glass: Readonly<Record<string, string>>,
  at: number,
): number {
  const changed = Object.entries(glass).filter(([barcode, sha256]) => shown.get(barcode)?.sha256 !== sha256);
  for (const [barcode, sha256] of changed) shown.set(barcode, { sha256, at });
  return changed.length;
}

/**
 * Reads what labels show: first all of them, and then those that have changed since, as SHA-256 of the first page's picture by
 * barcode. Returns nothing while the label server is unreachable. Little is read, because the pipeline is running at the same
 * time.
 */
export function createGlassReader(emulator: string): () => Promise<Record<string, string>> {
  let known = { run: "", changes: 0 };
  return async () => {
    const answer = await fetch(`${emulator}/emulator/glass?run=${known.run}&changes=${known.changes}`).catch(
      () => undefined,
    );
    if (!answer?.ok) return {};
    const { run, changes, glass } = (await answer.json()) as typeof known & { glass: Record<string, string> };
    known = { run, changes };
    return glass;
  };
}
