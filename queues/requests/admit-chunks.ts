import { type OpenChunk, type OpenChunks, readGraceEnd } from "../../records/requests/open-chunks.ts";
import { RequestChunk } from "../../schemas/jobs.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { ProcessCounts } from "../process-counts.ts";
import type { BulkJobs, ChunkInRedis } from "../publish/bulk-jobs.ts";
import type { Publisher } from "../publish/publisher.ts";
import { type ChunkWindow, chunkWindow } from "../tenant-windows.ts";
import { type QueueName, queueNames, queueOfJob, rowOf } from "../topology.ts";
import { chooseAwaited, chooseChunks } from "./choose-chunks.ts";
import { addChunkJobs } from "./chunk-jobs.ts";

/**
 * Enqueues a tenant's next bulk chunks from the journal, as many as there is room for. Returns the number of chunks; undefined if
 * Redis did not accept them.
 */
export type AdmitChunks = (tenant: string) => Promise<number | undefined>;

interface Dependencies {
  openChunks: Pick<OpenChunks, "readNextStore" | "readAwaited" | "databaseTime">;
  publisher: Pick<Publisher, "enqueue" | "isReady">;
  bulkJobs: Pick<BulkJobs, "read" | "noteTurn">;
  countProcesses(): Promise<ProcessCounts>;
}

/** Maximum number of stores that a pass reads, per chunk that a queue takes. */
const STORES_PER_CHUNK = 2;
/**
 * Total number of stores read in a pass if the tenant already has as many chunks in Redis as one queue takes. A pass also ends
 * after this many consecutive stores without room for any of their chunks.
 */
const STORES_WHEN_FULL = 4;

const chunkQueues = queueNames.filter((queue) => Object.values(rowOf(queue).jobs).includes(RequestChunk));

type Candidate = OpenChunk & { queue: QueueName };
const candidateOf = (chunk: OpenChunk): Candidate => ({ ...chunk, queue: queueOfJob(chunk.operation) });

/**
 * Admits chunks to Redis. Bulk work waits in the journal: Redis holds a few chunks of each tenant, and another is admitted when
 * one is done (docs/architecture/queues.md#turns). Chunks for which interactive requests of their store are waiting enter
 * before the others, regardless of the tenant's other work. A process runs one pass over a tenant at a time; calls in the
 * meantime share the next pass.
 */
export function createAdmitChunks({ openChunks, publisher, bulkJobs, countProcesses }: Dependencies): AdmitChunks {
  const running = new Map<string, Promise<number | undefined>>();
  const next = new Map<string, Promise<number | undefined>>();

  /**
   * Reads the waiting chunks of the tenant's stores, in the order of their turns, beginning after the store that had the last
   * turn.
   */
  async function* readStores(
    tenant: string,
    turn: string,
    keys: readonly string[],
    { ofTenant, ofStore }: ChunkWindow,
  ) {
    let left = keys.length < ofTenant ? STORES_PER_CHUNK * ofTenant : STORES_WHEN_FULL;
    for (const from of turn === "" ? [""] : [turn, ""]) {
      let read = await openChunks.readNextStore(tenant, from, keys, ofStore);
      for (; read !== undefined && left > 0; left -= 1) {
        if (from === "" && turn !== "" && read.store > turn) return;
        yield read.chunks.map(candidateOf);
        read = await openChunks.readNextStore(tenant, read.store, keys, ofStore);
      }
    }
  }

  async function keepConfirmed<Chunk extends OpenChunk>(
    chunks: readonly Chunk[],
    confirmed: ReadonlySet<string>,
  ): Promise<Chunk[]> {
    const isConfirmed = ({ store, number }: Chunk) => confirmed.has(`${store}/${number}`);
    if (chunks.every(isConfirmed)) return [...chunks];
    const before = await readGraceEnd(openChunks);
    return chunks.filter((chunk) => isConfirmed(chunk) || chunk.wholeAt.getTime() < before);
  }

  async function pass(tenant: string): Promise<number | undefined> {
    if (!publisher.isReady()) return undefined;
    const [{ chunks, isBusy, turn = "", confirmed }, processes] = await Promise.all([
      bulkJobs.read(tenant),
      countProcesses(),
    ]);
    const largest = chunkWindow(Math.max(...chunkQueues.map((queue) => processes[queue])));
    const inRedis = chunks.map(({ key }) => key);
    const awaited = await openChunks.readAwaited(tenant, inRedis, largest.ofStore);
    const urgent = chooseAwaited(await keepConfirmed(awaited, confirmed), chunks.map(placeOf), largest);
    if (!(await addChunkJobs(publisher, urgent, true))) return undefined;
    const present = [...chunks.map(placeOf), ...urgent.map(candidateOf)];
    const entered = [...inRedis, ...urgent.map(({ _id }) => _id)];
    const candidates: Candidate[][] = [];
    let chosen: Candidate[] = [];
    let isWaiting = isBusy || awaited.length > urgent.length;
    if (!isBusy) {
      const room = Math.max(1, largest.ofTenant - chunks.length);
      let misfits = 0;
      for await (const ofStore of readStores(tenant, turn, entered, largest)) {
        isWaiting ||= ofStore.length > 0;
        const before = chosen.length;
        candidates.push(await keepConfirmed(ofStore, confirmed));
        chosen = chooseChunks(candidates, present, (queue) => chunkWindow(processes[queue]));
        if (chosen.length >= room && candidates.length >= room) break;
        if (chosen.length > before || chosen.length >= room) misfits = 0;
        else if (candidates.at(-1)?.length !== 0) misfits += 1;
        if (misfits === STORES_WHEN_FULL) break;
      }
    }
    // Records that chunks are waiting, so that the next finished job triggers another pass.
    if (isWaiting) await bulkJobs.noteTurn(tenant, chosen.at(-1)?.store ?? turn);
    if (chosen.length === 0) return urgent.length;
    return (await addChunkJobs(publisher, chosen)) ? urgent.length + chosen.length : undefined;
  }

  const begin = (tenant: string): Promise<number | undefined> => {
    const work = pass(tenant).finally(() => running.delete(tenant));
    running.set(tenant, work);
    return work;
  };

  return (tenant) => {
    const present = running.get(tenant);
    if (present === undefined) return begin(tenant);
    const waiting = next.get(tenant);
    if (waiting) return waiting;
    const follows = present
      .catch(() => undefined)
      .then(() => {
        next.delete(tenant);
        return begin(tenant);
      });
    next.set(tenant, follows);
    return follows;
  };
}

/** Returns the queue, store and number of a chunk in Redis, from its key (schemas/keys.ts). */
function placeOf({ key, queue }: ChunkInRedis): { queue: QueueName; store: string; number: number } {
  const [, store = tenantOf(key), number = "0"] = /^(.*)\/requests\/(\d+)\/\d+$/s.exec(key) ?? [];
  return { queue, store, number: Number(number) };
}
