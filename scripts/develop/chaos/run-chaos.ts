import type { ItemPatch } from "../../../schemas/item.ts";
import { storeKey } from "../../../schemas/keys.ts";
import type { Client } from "../../client.ts";
import { STORE_ID, TENANT_ID } from "../../demo/catalogue.ts";
import { labelRowsFor } from "../../operate/import/label-rows.ts";
import { auditEverything } from "./audit-everything.ts";
import { type ChaosStack, withChaosStack } from "./chaos-stack.ts";
import { compareGlass } from "./compare-glass.ts";
import { planFaults, whileFaultsHappen } from "./faults.ts";
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
  /** Called at each check of the labels after the last fault, with what is waiting. */
  onLook?(look: object): void;
  log(what: string): void;
}

/** The findings after all faults. Each entry of `wrong` is a lost price or a stale label. */
export interface Findings {
  rounds: number;
  /** Labels that were not correct when the last fault ended: most of a price list, if it was sent just before. */
  left: number;
  /** Milliseconds from the end of the last fault to the last label that became correct. */
  lateMs: number;
  /** The longest period after the last fault in which no label became correct, in milliseconds. 0 if none lasted 3 seconds. */
  longestLullMs: number;
  /** Milliseconds until the last label is correct for the same rows and links, without faults, on the same machine and stack. */
  workMs: number;
  /** The part of `lateMs`, in milliseconds, beyond the time that the remaining labels need in any case. */
  addedMs: number;
  wrong: string[];
}

/**
 * Runs the whole stack, with processes whose clocks differ, and sends price lists while workers are killed, Redis loses its
 * data and MongoDB stalls, rejects commands and is restored. At the end, every glass is compared, and an audit must find
 * nothing.
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
  const onOver = () => {
    overAt = performance.now();
  };
  const faults = planFaults({ ...victims, onRestored }, seed, milliseconds);
  const sent = await whileFaultsHappen(faults, log, (happening) => {
    happening.then(onOver, onOver);
    return sendUnderFaults({ client, rows, isOver: () => overAt !== undefined, undone: () => restores, log });
  });
  const since = overAt ?? 0;
  const watch = createWatch({ system, emulator: stack.emulator, log, ...(onLook && { onLook }) });
  const { glass, busyText } = await watch(sent.expected, since);
  const lateMs = glass.rightAt - since;
  const { left } = glass;
  log(`${left} of ${rows.length} labels were not right when the last fault had ended`);
  log(`the last label was right ${inSeconds(lateMs)} after the last fault${busyText}`);
  const store = storeKey(TENANT_ID, STORE_ID);
  const [failed, prices] = [await sent.findFailed(), await findWrongPrices(client, sent.expected)];
  const stale = await auditEverything(system, store);
  if (stale.length === 0) log("an audit of everything finds nothing");
  const compared = await compareGlass(system, store, glass.stale, stack.emulator);
  if (compared.length === 0) log("every glass is right, and the integrity report agrees");

  const quietSince = performance.now();
  const quiet = await watch(await sendAgain(client, rows, sent.rounds), quietSince);
  const workMs = quiet.glass.rightAt - quietSince;
  const ownMs = (workMs * left) / rows.length;
  const addedMs = Math.max(0, lateMs - ownMs);
  log(`the same list and links take ${inSeconds(workMs)} without a fault${quiet.busyText}`);
  log(
    `of the time to the last label, the remaining labels took ${inSeconds(ownMs)}; the faults added ${inSeconds(addedMs)}`,
  );
  const longestLullMs = Math.max(0, ...glass.lulls.map(({ ms }) => ms));
  return {
    ...{ rounds: sent.rounds, left, lateMs, longestLullMs, workMs, addedMs },
    wrong: [...failed, ...prices, ...stale, ...compared],
  };
}

/** Sends a new list and its links, as callers do after a restore. Returns the rows. */
async function sendAgain(client: Client, rows: readonly ItemPatch[], round: number): Promise<ItemPatch[]> {
  const next = pricesOf(rows, round);
  await client.patchItems(next);
  await client.patchLabels(
    labelRowsFor(
      rows.map(({ itemId }) => itemId),
      String(LABEL_TYPE),
    ),
  );
  return next;
}

/** Watches the labels until all are correct, and logs each lull and how busy the processors were. */
function createWatch({
  system,
  emulator,
  onLook,
  log,
}: Pick<Options, "onLook" | "log"> & Pick<ChaosStack, "system"> & { emulator: string }) {
  const processors = createProcessorLog();
  const readNow = () => readWaiting(system);
  return async (expected: readonly ItemPatch[], since: number): Promise<{ glass: GlassFindings; busyText: string }> => {
    const look = async (at: number, changed: number) => {
      processors.note(at);
      if (onLook) onLook({ ms: Math.round(at - since), changed, ...(await readNow().catch(() => ({ away: true }))) });
    };
    const glass = await watchGlass({ emulator, type: LABEL_TYPE, expected, since, readWaiting: readNow, onLook: look });
    for (const { ms, afterMs, waiting } of glass.lulls)
      log(
        `no label became right for ${inSeconds(ms)} after ${inSeconds(afterMs)}${waiting ? `: ${waitingText(waiting)}` : ""}`,
      );
    const share = processors.busyShare(since, glass.rightAt);
    const busyText = share === undefined ? "" : `, with the processors busy for ${Math.round(100 * share)} % of it`;
    return { glass, busyText };
  };
}

/** Formats a time in seconds. */
export const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
