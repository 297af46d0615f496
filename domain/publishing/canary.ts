import { hash } from "node:crypto";
import type { CanvasDesign } from "../../schemas/canvas.ts";
import type { CommunicationPack, Design, Scenario } from "../../schemas/design.ts";
import type { Live } from "./live.ts";

/** The content of a publication, and the pack that would choose designs after it. */
export interface CanaryOf {
  packKey: string;
  pack: CommunicationPack;
  /** All designs of the tenant after the publication, by key. */
  designs: ReadonlyMap<string, Design>;
  /** Keys of the designs and canvases that the publication changes. */
  changedDesigns: ReadonlySet<string>;
  canvases: ReadonlyMap<string, CanvasDesign>;
}

/**
 * Returns the copies from which the stores of a canary choose and draw, under keys from `keyOf`: the pack, every design that is
 * changed or draws a changed canvas, and these canvases. All other designs and canvases are those that all stores show.
 */
export function canaryCopies(
  { packKey, pack, designs, changedDesigns, canvases }: CanaryOf,
  keyOf: (key: string) => string,
): Map<string, Live> {
  const named = new Set(designsIn(pack.scenarios));
  const copied = [...designs].filter(
    ([key, { canvasId }]) => named.has(key) && (changedDesigns.has(key) || canvases.has(canvasId)),
  );
  const keys = new Map(copied.map(([key]) => [key, keyOf(key)]));
  const drawn = new Set(copied.map(([, { canvasId }]) => canvasId));
  const { version: _, activations: __, ...body } = pack;
  return new Map<string, Live>([
    ...[...canvases].filter(([key]) => drawn.has(key)).map(([key, canvas]) => [keyOf(key), canvas] as const),
    ...copied.map(([key, { version: ___, ...design }]) => {
      const canvasId = canvases.has(design.canvasId) ? keyOf(design.canvasId) : design.canvasId;
      return [keyOf(key), { ...design, canvasId }] as const;
    }),
    [keyOf(packKey), { ...body, scenarios: renamed(body.scenarios, keys) } as Live] as const,
  ]);
}

const designsIn = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap(({ design_ids, children }) => [...design_ids, ...designsIn(children)]);

const renamed = (scenarios: readonly Scenario[], keys: ReadonlyMap<string, string>): Scenario[] =>
  scenarios.map(({ design_ids, children, ...scenario }) => ({
    ...scenario,
    design_ids: design_ids.map((key) => keys.get(key) ?? key),
    children: renamed(children, keys),
  }));

/**
 * Chooses a share of stores, at least one. The choice depends on the seed, so that new content is not always tried in the same
 * store.
 */
export function chooseStores(stores: readonly string[], share: number, seed: string): string[] {
  const digest = (store: string) => hash("sha256", `${seed} ${store}`);
  const number = Math.min(stores.length, Math.max(1, Math.ceil(stores.length * share)));
  return stores
    .map((store) => [digest(store), store] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, number)
    .map(([, store]) => store)
    .toSorted();
}

/** The number of labels in stores, and how many of them have a picture with a fault. */
export interface FaultCount {
  labels: number;
  faulty: number;
}

/** Returns why a canary is stopped. Undefined while the share of faulty labels has not risen by more than `limit`. */
export function whyStopped(before: FaultCount, now: FaultCount, limit: number): string | undefined {
  const [former, present] = [shareOf(before), shareOf(now)];
  if (present - former <= limit) return undefined;
  const rise = `${now.faulty} of ${now.labels} labels in its stores show a fault (${percent(present)}), ${before.faulty} of ${before.labels} before it (${percent(former)})`;
  return `${rise}. The share may rise by ${percent(limit)}.`;
}

const shareOf = ({ labels, faulty }: FaultCount): number => (labels === 0 ? 0 : faulty / labels);
const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;
