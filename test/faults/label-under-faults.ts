import type { ExecutionContext } from "ava";
import { type ProcessName, processNames } from "../../queues/topology.ts";
import type { LabelExplanation } from "../../schemas/explanation.ts";
import type { IntegrityReport } from "../../schemas/integrity.ts";
import type { ItemPatch } from "../../schemas/item.ts";
import { wantedOf } from "../../scripts/develop/chaos/wanted-pictures.ts";
import { startRedis } from "../../scripts/start/servers.ts";
import { bodyOf } from "../api/calls.ts";
import { manage } from "../api/management/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { labelFor } from "../harness/glass.ts";
import { startProcess } from "../harness/processes/own-process.ts";
import type { Shelfwire } from "../harness/shelfwire.ts";

export const barcode = labelFor("bread");
export const bread: ItemPatch = { itemId: "bread", itemName: "Bread", price: "3.00" };

/** For each worker, the expected reason if it has no running process while a price waits for it. */
export const killed: Partial<Record<ProcessName, RegExp>> = {
  item: /^request \d+ \(patch-items\), .* no process of the item worker is running$/,
  evaluator: /^the evaluator worker has not processed .* no process of the evaluator worker is running$/,
  link: /^the link worker has not processed the change to the .* no process of the link worker is running$/,
  renderer: /^the renderer worker has not processed the change to .* no process of the renderer worker is running$/,
  merger:
    /^the merger worker has not processed the change to the picture .* no process of the merger worker is running$/,
  transmitter:
    /^the transmitter worker has not processed the latest change .* no process of the transmitter worker is running$/,
};

/** Starts a worker in a process whose clock is this many milliseconds ahead. */
export function startWithOtherClock(t: ExecutionContext, { environment }: Shelfwire, name: ProcessName, ms: number) {
  const { href } = new URL(`../../scripts/develop/chaos/shift-clock.ts?milliseconds=${ms}`, import.meta.url);
  return startProcess(t, `workers/${name}/process.ts`, { ...environment, NODE_OPTIONS: `--import ${href}` });
}

/** A label, the processes behind it that a test ends and starts, and the reports about the label. */
export function labelUnderFaults(shelfwire: Shelfwire) {
  const reports = reportsOf(shelfwire);
  let cents = 0;
  return {
    ...processesOf(shelfwire),
    ...reports,
    /** Sends a new price; every second call also changes the design. */
    async changePrice(): Promise<ItemPatch> {
      cents += 1;
      const priceKind = cents % 2 === 1 ? "special" : "regular";
      const row = { ...bread, price: `3.${String(cents).padStart(2, "0")}`, properties: { priceKind } };
      await shelfwire.client.patchItems([row]);
      return row;
    },
    /** Waits until the glass shows this row; then the explanation and the report must say that everything is right. */
    async allIsRight(row: ItemPatch): Promise<void> {
      const [wanted] = wantedOf([row], 1328);
      await eventually(`the glass shows ${row.price}`, async () => {
        const shown = shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.sha256;
        if (shown !== wanted?.sha256) throw new Error((await reports.explain()).sentences.join(" "));
        return true;
      });
      await reports.untilExplained("UP_TO_DATE", /this is the newest picture/);
      const { behind, labels, upToDate } = await reports.integrity();
      if (behind?.length !== 0 || labels !== 1 || upToDate !== 1) throw new Error(JSON.stringify(behind));
    },
  };
}

/** Ends and starts processes and Redis; `mend` ends any fault that a test has left. */
function processesOf(shelfwire: Shelfwire) {
  const running = new Map<ProcessName, { close(): Promise<void> }>();
  const start = async (name: ProcessName) => void running.set(name, await shelfwire.openWorker(name));
  let isRedisAway = false;
  const startRedisAgain = async () => {
    shelfwire.databases.redis = await startRedis(Number(new URL(shelfwire.databases.redis.url).port));
    isRedisAway = false;
  };
  return {
    start,
    async end(name: ProcessName) {
      const one = running.get(name);
      running.delete(name);
      await one?.close();
    },
    async killRedis() {
      isRedisAway = true;
      await shelfwire.databases.redis.kill();
    },
    startRedisAgain,
    async mend() {
      shelfwire.proxy?.answerNothing();
      shelfwire.proxy?.restore();
      shelfwire.front?.answer(() => undefined);
      shelfwire.labelServer.labels.set(barcode, { offline: false });
      if (isRedisAway) await startRedisAgain();
      await Promise.all(processNames.filter((name) => !running.has(name)).map(start));
    },
  };
}

/** Reads the label's explanation and the report on all labels. */
function reportsOf(shelfwire: Shelfwire) {
  const explain = async () => bodyOf<LabelExplanation>(await shelfwire.call("GET", `/labels/${barcode}/explain`));
  const integrity = async () => bodyOf<IntegrityReport>(await manage(shelfwire, "GET", "/stores/main/integrity"));
  return {
    explain,
    integrity,
    /** Reads the explanation again as long as it says only that Redis does not respond. */
    explainWithRedis: () =>
      eventually("Redis responds", async () => {
        const found = await explain();
        return found.cause !== "REDIS_AWAY" && found;
      }),
    /** Waits until the report names this cause and reason; on a busy machine, one read may find that Redis does not respond. */
    untilBehind: (cause: LabelExplanation["cause"], reason = /./) =>
      eventually(`the report names ${cause}, ${reason}`, async () => {
        const { behind } = await integrity();
        const [first] = behind ?? [];
        if (first?.cause !== cause || !reason.test(first.reason)) throw new Error(JSON.stringify(behind));
        return first;
      }),
    /** Waits until the explanation names this cause and reason. */
    untilExplained: (cause: LabelExplanation["cause"], reason: RegExp) =>
      eventually(`the cause is ${cause}, ${reason}`, async () => {
        const { waits, sentences } = await explain();
        const [first] = waits;
        if (first?.cause !== cause || !reason.test(first.reason)) throw new Error(sentences.join(" "));
        return first;
      }),
  };
}
