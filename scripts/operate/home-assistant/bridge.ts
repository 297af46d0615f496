import type { MqttClient } from "mqtt";
import type { Logger } from "pino";
import { type Item, type Shelfwire, ShelfwireError } from "../../../docs/typescript-client/index.ts";
import { discoveryOf, type FullLabel, priceIn, type StoreTopics, stateOf } from "./discovery.ts";

export interface BridgeOptions {
  store: Pick<Shelfwire, "call" | "item" | "labelImage" | "labels" | "patchItems" | "tail">;
  broker: MqttClient;
  topics: StoreTopics;
  /** Whether prices that arrive as commands are applied. */
  setsPrices: boolean;
  /** Only labels at this location are shown. All labels if undefined. */
  location: string | undefined;
  /** Maximum number of labels that become devices. */
  mostLabels: number;
  log: Pick<Logger, "info" | "warn">;
}

const NOT_FOUND = 404;
const RETAINED = { qos: 1, retain: true } as const;

/** Shows a store's labels as devices, for as long as the process runs. */
export function createBridge(options: BridgeOptions) {
  const { store, broker, topics, setsPrices, location, mostLabels, log } = options;
  /** The labels that are published as devices, each with the last press of its button. */
  const labels = new Map<string, string | undefined>();
  /** The content of each retained topic. */
  const published = new Map<string, string | Buffer>();

  /** Publishes a payload unless the topic already has it. */
  async function say(topic: string, payload: string | Buffer): Promise<void> {
    const before = published.get(topic);
    if (before !== undefined && Buffer.from(before).equals(Buffer.from(payload))) return;
    await broker.publishAsync(topic, payload, RETAINED);
    published.set(topic, payload);
  }

  async function show(label: FullLabel): Promise<void> {
    const { barcode, lastPress } = label;
    if (!labels.has(barcode) && labels.size >= mostLabels) {
      log.warn({ barcode, mostLabels }, "the label does not become a device: there are as many as --most allows");
      return;
    }
    const { config, state, picture, press } = topics.of(barcode);
    const item = await itemOf(label);
    await say(config, JSON.stringify(discoveryOf(label, topics, { setsPrices })));
    await say(state, JSON.stringify(stateOf(label, item)));
    await say(picture, Buffer.from(await found(store.labelImage(barcode), new Uint8Array())));
    if (labels.has(barcode) && lastPress && labels.get(barcode) !== lastPress.time) {
      const event = { event_type: "press", button: lastPress.button, time: lastPress.time };
      await broker.publishAsync(press, JSON.stringify(event), { qos: 1 });
    }
    labels.set(barcode, lastPress?.time);
  }

  async function itemOf({ links }: FullLabel): Promise<Item | undefined> {
    const [first] = links;
    return first === undefined ? undefined : found(store.item(first.itemId, "S"), undefined);
  }

  async function remove(barcode: string): Promise<void> {
    const { config, state, picture } = topics.of(barcode);
    for (const topic of [config, state, picture]) {
      await broker.publishAsync(topic, "", RETAINED);
      published.delete(topic);
    }
    labels.delete(barcode);
  }

  async function refresh(barcode: string): Promise<void> {
    const label = await found(store.call<FullLabel>("GET", `/labels/${encodeURIComponent(barcode)}`), undefined);
    const isShown = label !== undefined && (location === undefined || label.plLocation === location);
    if (isShown) await show(label);
    else if (labels.has(barcode)) await remove(barcode);
  }

  async function setPrice(barcode: string, payload: string): Promise<void> {
    const price = priceIn(payload);
    const label = await found(store.call<FullLabel>("GET", `/labels/${encodeURIComponent(barcode)}`), undefined);
    const itemId = label?.links[0]?.itemId;
    if (price === undefined || itemId === undefined) {
      const reason = price === undefined ? 'a price must be a number such as "1.99"' : "the label shows no item";
      log.warn({ barcode, payload, reason }, "price refused");
      return;
    }
    const { rows } = await store.patchItems([{ itemId, price }]);
    log.info({ barcode, itemId, price, status: rows[0]?.status, errors: rows[0]?.errors }, "price set");
  }

  return {
    refresh,

    /** Shows all labels, and removes devices whose labels no longer exist. */
    async refreshAll(): Promise<void> {
      const before = new Set(labels.keys());
      const filter = location === undefined ? {} : { plLocation: location };
      for await (const label of store.labels(filter)) {
        before.delete(label.barcode);
        await show(label);
      }
      for (const barcode of before) await remove(barcode);
    },

    /** Causes everything to be published again, because a restarted broker may have forgotten it. */
    forget: () => published.clear(),

    /** Carries out a command that sets a price. A command that the broker retained was meant for an earlier time. */
    async command(topic: string, payload: Buffer, isRetained: boolean): Promise<void> {
      const barcode = topics.barcodeOf(topic);
      if (barcode === undefined || isRetained || !setsPrices) return;
      try {
        await setPrice(barcode, payload.toString("utf8").slice(0, 64));
      } catch (error) {
        if (!(error instanceof ShelfwireError)) throw error;
        log.warn({ barcode, reason: error.message }, "price refused");
      }
      // The field shows the current price, not the text that was typed.
      published.delete(topics.of(barcode).state);
      await refresh(barcode);
    },

    /** Removes a device of this store that an earlier process created and whose label is gone. */
    async removeUnknown(topic: string, payload: Buffer): Promise<void> {
      const { state_topic: state = "", device } = readConfig(payload);
      const barcode = device?.serial_number;
      if (!state.startsWith(`${topics.tree}/labels/`) || barcode === undefined || labels.has(barcode)) return;
      if (topics.of(barcode).config === topic) await refresh(barcode);
      if (!labels.has(barcode)) await remove(barcode);
    },
  };
}

interface Config {
  state_topic?: string;
  device?: { serial_number?: string };
}

/** Parses a retained configuration of any program. Returns an object without members if it cannot be parsed. */
function readConfig(payload: Buffer): Config {
  try {
    return (JSON.parse(payload.toString("utf8")) as Config | null) ?? {};
  } catch {
    return {};
  }
}

/** Returns the result of a call, or the other value if the resource does not exist. */
async function found<T, Other>(call: Promise<T>, other: Other): Promise<T | Other> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ShelfwireError && error.problem.status === NOT_FOUND) return other;
    throw error;
  }
}
