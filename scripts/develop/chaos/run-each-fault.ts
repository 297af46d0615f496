import type { ItemPatch } from "../../../schemas/item.ts";
import { storeKey } from "../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../demo/catalogue.ts";
import { labelRowsFor } from "../../operate/import/label-rows.ts";
import { auditEverything } from "./audit-everything.ts";
import { type ChaosStack, withChaosStack } from "./chaos-stack.ts";
import { faultsOf } from "./faults.ts";
import { LABEL_TYPE, pricesOf } from "./price-lists.ts";
import { inSeconds } from "./run-chaos.ts";
import { readWaiting, waitingText } from "./waiting.ts";
import { type GlassFindings, watchGlass } from "./watch-glass.ts";

interface Options {
  /** Only a few rows, so that their own work takes little time and the rest is the delay that a fault causes. */
  rows: readonly ItemPatch[];
  mongoUrl: string;
  log(what: string): void;
}

/** How long after each fault the last label was correct, in milliseconds, and what was wrong at the end. */
export interface EachFault {
  lateMs: ReadonlyMap<string, number>;
  wrong: string[];
}

/**
 * Makes one fault after another strike a short price list as soon as the list is accepted. The next fault waits until the
 * labels are correct again. Reports how long after the end of each fault the last label was correct, and what was waiting.
 */
export const runEachFault = (options: Options): Promise<EachFault> =>
  withChaosStack(options, (chaos) => strikeEach(options, chaos));

async function strikeEach({ rows, log }: Options, { client, stack, system, victims }: ChaosStack): Promise<EachFault> {
  let rounds = 0;
  /** Sends the next prices, causes a fault, and waits until every label shows these prices. */
  async function send(what: string, happen: () => Promise<void>): Promise<[number, GlassFindings]> {
    const expected = pricesOf(rows, rounds);
    await client.patchItems(expected);
    if (rounds === 0)
      await client.patchLabels(
        labelRowsFor(
          rows.map(({ itemId }) => itemId),
          String(LABEL_TYPE),
        ),
      );
    rounds += 1;
    await happen();
    const since = performance.now();
    const readNow = () => readWaiting(system);
    const glass = await watchGlass({
      emulator: stack.emulator,
      type: LABEL_TYPE,
      expected,
      since,
      readWaiting: readNow,
    });
    const lateMs = glass.rightAt - since;
    log(`${what}: the last label was right after ${inSeconds(lateMs)}`);
    for (const { ms, afterMs, waiting } of glass.lulls)
      log(
        `  none became right for ${inSeconds(ms)} after ${inSeconds(afterMs)}${waiting ? `: ${waitingText(waiting)}` : ""}`,
      );
    return [lateMs, glass];
  }

  await send("the first list and its links", async () => {});
  await send("a list without a fault", async () => {});
  const lateMs = new Map<string, number>();
  const wrong: string[] = [];
  for (const { what, happen } of faultsOf(victims)) {
    const [late, { stale }] = await send(what, happen);
    lateMs.set(what, late);
    wrong.push(...stale.map(({ barcode }) => `${what}: label ${barcode} does not show its last price`));
  }
  wrong.push(...(await auditEverything(system, storeKey(TENANT_ID, STORE_ID))));
  return { lateMs, wrong };
}
