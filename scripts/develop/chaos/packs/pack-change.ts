import { setTimeout } from "node:timers/promises";
import { streamKey } from "../../../../queues/publish/streams.ts";
import type { System } from "../../../../queues/system.ts";
import { readWalks, type WalkProgress } from "../../../../queues/walks/walk-progress.ts";
import { communicationPacks } from "../../../../records/kinds/designs.ts";
import { items } from "../../../../records/kinds/items.ts";
import { links, studioLinks } from "../../../../records/kinds/links.ts";
import { tenants } from "../../../../records/kinds/tenants.ts";
import type { Records } from "../../../../records/records.ts";
import type { CommunicationPack } from "../../../../schemas/design.ts";
import { inBatches } from "../../../../schemas/in-batches.ts";
import { designKey, itemKey, linkIdOf, linkKey, storeKey, tenantKey } from "../../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../../demo/catalogue.ts";
import { barcodeFor } from "../../../operate/import/label-rows.ts";
import { supervise } from "../../../start/supervise.ts";
import { countWrites } from "./count-writes.ts";

interface Options {
  system: System;
  /** Environment variables of the evaluator's process. */
  environment: NodeJS.ProcessEnv;
  /** Number of links to create in the demo store. */
  links: number;
  log(what: string): void;
}

/**
 * The results of changing a pack twice. The evaluator is killed during each walk. The second change comes before the first walk
 * has ended.
 */
export interface PackChangeFindings {
  /** Links whose design does not follow from the newest rules. */
  wrong: string[];
  /** Number of writes of studio links since the first change. Each is published. */
  writes: number;
  /** Number of writes that followed the first change when the second change was stored. */
  old: number;
  /** Number of walks that a restarted process started again instead of resuming. */
  restarted: number;
}

const LINKS_PER_ITEM = 10;
const RECORDS_PER_WRITE = 1_000;
const POLL_INTERVAL_MS = 20;
const STUCK_AFTER_MS = 900_000;
const MAX_ATTEMPTS = 5;
const tenant = tenantKey(TENANT_ID);
const store = storeKey(TENANT_ID, STORE_ID);
const publications = streamKey(tenant, "studiolink.v1");
const designOf = (occasion: string): string => designKey(tenant, `${occasion}-296x128`);

/**
 * Changes the demo's pack twice while its links are evaluated, and kills the evaluator during each walk. Every link must end
 * with the design of the second change, and few links may be written for the first change after it.
 */
export async function changePackUnderKills(options: Options): Promise<PackChangeFindings> {
  const { system, environment, log } = options;
  const keys = await hang(options);
  const evaluator = supervise({
    name: "evaluator",
    entry: "workers/evaluator/process.ts",
    environment,
    log,
    output: () => {},
  });
  // A separate connection with long timeouts, because it reads continuously and this process may be blocked on a busy machine.
  const patience = { commandTimeout: STUCK_AFTER_MS, socketTimeout: STUCK_AFTER_MS };
  const reader = system.redis.duplicate({ enableOfflineQueue: true, ...patience });
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await untilAllShow(system, "regular", keys.length);
      const counting = await countWrites(reader, publications);
      const found = await changeTwice(options, evaluator, counting.soFar).finally(counting.end);
      if (found) return { ...found, wrong: await findWrong(system.records, keys), writes: counting.soFar() };
      log("a walk was over before it could be killed: all again");
      await changePack(system, "regular");
    }
    throw new Error("each walk was over before it could be killed: more links");
  } finally {
    reader.disconnect();
    await evaluator.stop();
  }
}

/** Changes the pack twice, and kills both walks. Returns undefined if a walk had already ended, for example on a busy machine. */
async function changeTwice(
  options: Options,
  evaluator: ReturnType<typeof supervise>,
  writtenSoFar: () => number,
): Promise<Pick<PackChangeFindings, "old" | "restarted"> | undefined> {
  const { system, links: count, log } = options;
  const began = performance.now();
  const older = await changePack(system, "special");
  const first = await killInTheMiddle(options, evaluator, older);
  if (first === undefined) return undefined;
  const resumed = await untilResumed(system, older, first);
  log(`${resumed.checked} checked: the pack changes again`);
  const newer = await changePack(system, "no-price");
  // Counted only now, because until the newer pack was stored the evaluator was right to write links with the older design.
  const old = Math.max(await countWith(system, designOf("special")), writtenSoFar());
  const second = await killInTheMiddle(options, evaluator, newer);
  if (second === undefined) return undefined;
  const last = await untilResumed(system, newer, second);
  await untilAllShow(system, "no-price", count);
  await until("the walk has ended", async () => (await progress(system, newer))?.finishedAt !== undefined);
  await until("the queue is empty", async () => (await waiting(system)) === 0);
  log(`${count} links after ${((performance.now() - began) / 1000).toFixed(1)} s, ${old} of them twice`);
  const isRestarted = (killed: WalkProgress, later: WalkProgress) =>
    killed.startedAt.getTime() !== later.startedAt.getTime();
  return { old, restarted: Number(isRestarted(first, resumed)) + Number(isRestarted(second, last)) };
}

/** Waits until every link has the design of an occasion and no job is left. */
async function untilAllShow(system: Options["system"], occasion: string, count: number): Promise<void> {
  await until(
    `every link has the design ${occasion}`,
    async () => (await countWith(system, designOf(occasion))) === count,
  );
  await until("the queue is empty", async () => (await waiting(system)) === 0);
}

/** Writes links of the demo store and their items, as a worker would. */
async function hang({ system: { commit }, links: count, log }: Options): Promise<string[]> {
  const itemIds = Array.from({ length: Math.ceil(count / LINKS_PER_ITEM) }, (_, index) => `item ${index}`);
  for (const batch of inBatches(itemIds, RECORDS_PER_WRITE)) {
    const part = new Map(batch.map((itemId) => [itemKey(store, itemId), itemId]));
    const made = (key: string) => ({
      itemId: part.get(key) ?? "",
      price: "1.99",
      sics: [],
      properties: [],
      stamps: {},
      created: 1,
    });
    await commit.change(items, [...part.keys()], made, "bulk");
  }
  const keys: string[] = [];
  for (let from = 0; from < count; from += RECORDS_PER_WRITE) {
    const part = new Map(
      Array.from({ length: Math.min(RECORDS_PER_WRITE, count - from) }, (_, index) => {
        const eslId = barcodeFor(`pack ${from + index}`, "1328");
        return [linkKey(store, linkIdOf(eslId, 0)), { eslId, itemId: itemIds[(from + index) % itemIds.length] ?? "" }];
      }),
    );
    const made = (key: string) => {
      const { eslId = "", itemId = "" } = part.get(key) ?? {};
      return {
        eslId,
        displayPosition: 0,
        itemId,
        linkedItemId: itemId,
        status: "ACTIVE" as const,
        origin: "studio" as const,
        linkedAt: new Date(0),
        stamp: 1,
      };
    };
    await commit.change(links, [...part.keys()], made, "bulk");
    keys.push(...part.keys());
  }
  log(`${keys.length} links of ${itemIds.length} items`);
  return keys;
}

/** Changes the pack so that every item gets this design. Returns the reason by which the walk names the change. */
async function changePack({ records, commit }: Options["system"], occasion: string): Promise<string> {
  const pack = (await records.read(tenants, [tenant])).get(tenant)?.communicationPack ?? "";
  const scenario = { cel_expression: 'item.price != ""', design_ids: [designOf(occasion)], children: [] };
  const scenarios = [{ id: occasion, name: occasion, ...scenario }];
  const changed = (_: string, current: CommunicationPack | undefined) => current && { ...current, scenarios };
  const written = await commit.change(communicationPacks, [pack], changed, "interactive");
  return `${pack} is at rev ${written.get(pack)?.rev}`;
}

/**
 * Waits until a change's walk has begun, kills its process, and returns the walk's progress at that moment; undefined if it was
 * over.
 */
async function killInTheMiddle(
  { system, log }: Options,
  evaluator: ReturnType<typeof supervise>,
  change: string,
): Promise<WalkProgress | undefined> {
  await until("the walk is under way", async () => ((await progress(system, change))?.checked ?? 0) > 0);
  evaluator.kill();
  const killed = await progress(system, change);
  if (killed === undefined || killed.finishedAt) return undefined;
  log(`killed when ${killed.checked} were checked`);
  return killed;
}

/** Returns the progress of the evaluator's walk that follows a change. */
const progress = async ({ db }: Options["system"], change: string): Promise<WalkProgress | undefined> =>
  (await readWalks(db, tenant)).find(({ queue, reason }) => queue === "evaluator" && reason === change);

/** Waits until a killed walk is resumed or over. */
const untilResumed = (system: Options["system"], change: string, killed: WalkProgress): Promise<WalkProgress> =>
  until("the walk continues", async () => {
    const walk = await progress(system, change);
    return walk && (walk.checked > killed.checked || walk.finishedAt) ? walk : undefined;
  });

async function waiting({ publisher }: Options["system"]): Promise<number> {
  const counts = await publisher.countJobs("evaluator", "active", "waiting", "prioritized", "delayed");
  return Object.values(counts).reduce((total, jobs) => total + jobs, 0);
}

const countWith = ({ db }: Options["system"], design: string): Promise<number> =>
  db.collection(studioLinks.name).countDocuments({ design_id: design });

async function findWrong(records: Records, keys: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  for await (const batch of records.scan(studioLinks, `${store}/links/`)) {
    for (const { _id, design_id } of batch) if (design_id !== designOf("no-price")) wrong.push(`${_id}: ${design_id}`);
  }
  const count = await records.count(studioLinks, `${store}/links/`);
  return count === keys.length ? wrong : [...wrong, `${count} of ${keys.length} links are evaluated`];
}

async function until<T>(what: string, read: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + STUCK_AFTER_MS;
  let cause: Error | undefined;
  for (;;) {
    // A database may seem to respond too late while this process is blocked on a busy machine.
    const value = await read().catch((error: Error) => {
      cause = error;
      return undefined;
    });
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`${what}: still not true`, { cause });
    await setTimeout(POLL_INTERVAL_MS);
  }
}
