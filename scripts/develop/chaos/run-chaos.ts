import type { ItemPatch } from "../../../schemas/item.ts";
import { storeKey } from "../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../demo/catalogue.ts";
import { labelRowsFor } from "../../operate/import/label-rows.ts";
import { auditEverything } from "./audit-everything.ts";
import { type ChaosStack, withChaosStack } from "./chaos-stack.ts";
import { compareGlass } from "./compare-glass.ts";
import { planFaults, runFaults } from "./faults.ts";
import { findWrongPrices, LABEL_TYPE, pricesOf, sendUnderFaults } from "./price-lists.ts";
import { createProcessorLog } from "./processors.ts";
import { readWaiting, waitingText } from "./waiting.ts";
import { type GlassFindings, watchGlass } from "./watch-glass.ts";

interface Options {
  rows: readonly ItemPatch[];
  seed: number;
  /** The faults are spread over this time. */
  milliseconds: number;
  mongoUrl: string;
  /** Called at each look at the labels after the last fault, with what waits then. */
  onLook?(look: object): void;
  log(what: string): void;
}

/** The findings after all faults: each entry of `wrong` is a lost price or a stale label. */
export interface Findings {
  rounds: number;
  /** Labels that were not right when the last fault was over: most of a price list, where it was sent just before. */
  left: number;
  /** Milliseconds from the end of the last fault to the last label that became right. */
  lateMs: number;
  /** The longest time in it in which no label became right; 0 where there is none of some seconds. */
  longestLullMs: number;
  /** What the same rows and links take to the last label, without a fault, on the same machine and stack. */
  workMs: number;
  wrong: string[];
}

/**
 * Runs the whole stack, with processes whose clocks differ, and sends price lists while workers are killed, Redis forgets
 * and MongoDB stalls, refuses and is restored. At the end every glass is compared, and an audit must find nothing.
 */
export const runChaos = (options: Options): Promise<Findings> =>
  withChaosStack(options, (chaos) => underFaults(options, chaos));

async function underFaults(
  { rows, seed, milliseconds, onLook, log }: Options,
  { client, stack, system, victims }: ChaosStack,
): Promise<Findings> {
  let overAt: number | undefined;
  let restores = 0;
  const onRestored = () => {
    restores += 1;
  };
  const happening = runFaults(planFaults({ ...victims, onRestored }, seed, milliseconds), log).then(() => {
    overAt = performance.now();
  });
  const sending = sendUnderFaults({ client, rows, isOver: () => overAt !== undefined, undone: () => restores, log });
  const [sent] = await Promise.all([sending, happening]);
  const { emulator } = stack;
  const processors = createProcessorLog();
  const watch = async (expected: readonly ItemPatch[], since: number): Promise<GlassFindings> => {
    const readNow = () => readWaiting(system);
    const look = async (at: number, changed: number) => {
      processors.note(at);
      if (onLook) onLook({ ms: Math.round(at - since), changed, ...(await readNow().catch(() => ({ away: true }))) });
    };
    const glass = await watchGlass({ emulator, type: LABEL_TYPE, expected, since, readWaiting: readNow, onLook: look });
    for (const { ms, afterMs, waiting } of glass.lulls)
      log(
        `no label became right for ${inSeconds(ms)} after ${inSeconds(afterMs)}${waiting ? `: ${waitingText(waiting)}` : ""}`,
      );
    return glass;
  };
  const since = overAt ?? 0;
  const busyText = (from: number, to: number): string => {
    const share = processors.busyShare(from, to);
    return share === undefined ? "" : `, with the processors busy for ${Math.round(100 * share)} % of it`;
  };
  const glass = await watch(sent.expected, since);
  const lateMs = glass.rightAt - since;
  const longestLullMs = Math.max(0, ...glass.lulls.map(({ ms }) => ms));
  const { left } = glass;
  log(`${left} of ${rows.length} labels were not right when the last fault was over`);
  log(`the last label was right ${inSeconds(lateMs)} after the last fault${busyText(since, glass.rightAt)}`);
  const store = storeKey(TENANT_ID, STORE_ID);
  const [failed, prices] = [await sent.findFailed(), await findWrongPrices(client, sent.expected)];
  const stale = await auditEverything(system, store);
  if (stale.length === 0) log("an audit of everything finds nothing");
  const compared = await compareGlass(system, store, glass.stale, emulator);
  if (compared.length === 0) log("every glass is right, and the integrity report agrees");

  const next = pricesOf(rows, sent.rounds);
  const quietSince = performance.now();
  await client.patchItems(next);
  // As behind the restore, where the list and its links are sent again.
  await client.patchLabels(
    labelRowsFor(
      rows.map(({ itemId }) => itemId),
      String(LABEL_TYPE),
    ),
  );
  const quiet = await watch(next, quietSince);
  const workMs = quiet.rightAt - quietSince;
  log(`the same list and links take ${inSeconds(workMs)} without a fault${busyText(quietSince, quiet.rightAt)}`);
  const wrong = [...failed, ...prices, ...stale, ...compared];
  return { rounds: sent.rounds, left, lateMs, longestLullMs, workMs, wrong };
}

/** A time in seconds, for people. */
export const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
