import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { retrySettings } from "../../../../domain/labels/retry-waits.ts";
import { openImageFiles } from "../../../../records/files/image-files.ts";
import { labelStates } from "../../../../records/kinds/labels.ts";
import { inBatches } from "../../../../schemas/in-batches.ts";
import { idOf, labelKey, labelServerKey, ownerOf, storeIds, storeKey } from "../../../../schemas/keys.ts";
import { newLabelState } from "../../../../schemas/label-state.ts";
import { httpLabelServer } from "../../../../workers/transmitter/drivers/http.ts";
import { createTransmit } from "../../../../workers/transmitter/sending/transmit.ts";
import { createLabelServers } from "../../../../workers/transmitter/servers/label-servers.ts";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { openBenchSystem } from "../open-system.ts";
import type { Behaviour } from "./bare-servers.ts";
import { createDealer } from "./deal-pictures.ts";

const TENANT = "air";
const SECRET = "a secret of the bench";
/** A picture of an ordinary label as PNG. */
const PNG_BYTES = 4_000;
const PICTURES = 200;
const LABELS_PER_BATCH = 500;
const POLL_INTERVAL_MS = 1_000;
const LOOK_INTERVAL_MS = 20;
export const CONCURRENCY = 16;

/** Opens this process's transmitter, with `servers` label servers in another process, each for one store. */
export async function openAir(demo: DemoStack, database: string, servers: number) {
  const system = openBenchSystem(demo, database);
  const program = fork(new URL("./bare-servers.ts", import.meta.url));
  const [port] = await once(program, "message");
  const origin = `http://127.0.0.1:${port}`;
  const all = Array.from({ length: servers }, (_, index) => ({
    key: labelServerKey(`t/${TENANT}`, String(index)),
    url: `${origin}/${index}`,
    store: storeKey(TENANT, String(index)),
  }));
  const open = (url: string) => httpLabelServer(url, [SECRET], CONCURRENCY, system.clock);
  const labelServers = createLabelServers({
    installation: open(`${origin}/none`),
    readDirectory: async () => ({
      servers: new Map(all.map(({ key, url }) => [key, { url, secret: SECRET }])),
      serverOf: new Map(all.map(({ key, store }) => [store, key])),
      departmentsOf: new Map(),
      withSecret: new Map(),
    }),
    open: ({ url }) => open(url),
  });
  await labelServers.refresh();
  const imageFiles = openImageFiles(system.db, system.now);
  const images = Array.from({ length: PICTURES }, (_, index) => ({
    ...{ sha256: `picture ${index}`, png: new Uint8Array(randomBytes(PNG_BYTES)), width: 296, height: 128 },
  }));
  await imageFiles.put(`t/${TENANT}`, images);
  const retry = retrySettings(60_000);
  const { transmit, sendDue, close } = createTransmit({
    ...{ ...system, imageFiles, labelServers, retry, concurrency: CONCURRENCY },
    careOfTypes: async () => new Map(),
    quietStores: async () => () => undefined,
  });
  const deal = createDealer(PICTURES);

  /** Makes each of these labels show a different picture, in batches, like the merger's changes. */
  async function want(keys: readonly string[], urgency: "interactive" | "bulk" = "bulk"): Promise<void> {
    for (const batch of inBatches(keys, LABELS_PER_BATCH)) {
      const pagesOf = (key: string) => [{ page: 0, image: `picture ${deal(key)}` }];
      const picture = new Map(batch.map((key) => [key, { pages: pagesOf(key), shows: [] }]));
      await transmit(batch, urgency, (key, state = newLabelState()) => {
        const image = picture.get(key);
        return image && wantImage({ ...state, sending: undefined }, image, system.now());
      });
    }
  }

  const nameOf = (key: string) => `${storeIds(ownerOf(key)).storeId}/${idOf(key)}`;
  const countArrived = async () => Number(await (await fetch(`${origin}/arrived`)).text());
  const readArrivals = async () => (await (await fetch(`${origin}/arrivals`)).json()) as Record<string, number>;

  /** Returns when the last picture of each of these labels arrived. Undefined while one is missing. */
  async function allArrived(keys: readonly string[]): Promise<Map<string, number> | undefined> {
    // Counting them costs next to nothing compared with what is measured.
    if ((await countArrived()) < keys.length) return undefined;
    const arrivals = await readArrivals();
    const times = keys.flatMap((key) => arrivals[nameOf(key)] ?? []);
    return times.length < keys.length ? undefined : new Map(keys.map((key, index) => [key, times[index] ?? 0]));
  }

  /**
   * Waits until the label servers have a picture for each of these labels. Resolves with the time at which each label's last
   * picture arrived.
   */
  async function untilArrived(keys: readonly string[]): Promise<Map<string, number>> {
    for (let polledAt = Date.now(); ; await setTimeout(LOOK_INTERVAL_MS)) {
      const times = await allArrived(keys);
      if (times) return times;
      if (Date.now() - polledAt < POLL_INTERVAL_MS) continue;
      polledAt = Date.now();
      await sendDue();
    }
  }

  return {
    ...{ system, images, urlOf: (index: number) => all[index]?.url ?? "", want, untilArrived, transmit, sendDue },
    /** Returns the keys of this many labels of each label server from `from` up to `until`. */
    labelsOf: (labels: number, from = 0, until = servers): string[] =>
      all
        .slice(from, until)
        .flatMap(({ store }) => Array.from({ length: labels }, (_, index) => labelKey(store, `L${index}`))),
    behave: async (behaviour: Behaviour) =>
      void (await fetch(`${origin}/behaviour`, { method: "POST", body: JSON.stringify(behaviour) })),
    /** Forgets all labels, so that no measurement starts with transmissions that an earlier one left due. */
    forgetLabels: () => system.db.collection(labelStates.name).deleteMany({}),
    async close(): Promise<void> {
      // Hanging calls end with their label servers.
      program.kill();
      await close();
      await system.close();
    },
  };
}

export type Air = Awaited<ReturnType<typeof openAir>>;
