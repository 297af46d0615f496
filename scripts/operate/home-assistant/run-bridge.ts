import { connect, type IPublishPacket } from "mqtt";
import type { Logger } from "pino";
import { closeOnSignal } from "../../../runtime/shutdown.ts";
import { type BridgeOptions, createBridge } from "./bridge.ts";
import { logPresence } from "./log-presence.ts";

interface RunOptions extends Omit<BridgeOptions, "broker" | "log"> {
  broker: { url: string; username: string | undefined; password: string | undefined };
  clientId: string;
  /** Interval at which all labels are read again, in milliseconds. */
  refreshMs: number;
  log: Logger;
}

/** Connects a store with a broker until a signal ends the process. Throws if the store denies access. */
export async function runBridge({ broker: login, clientId, refreshMs, log, ...options }: RunOptions): Promise<void> {
  const { topics, setsPrices, store } = options;
  const { url, username, password } = login;
  const broker = connect(url, {
    ...{ protocolVersion: 5, clientId },
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    will: { topic: topics.availability, payload: Buffer.from("offline"), qos: 1, retain: true },
  });
  const bridge = createBridge({ ...options, broker, log });

  /** Work runs in sequence, so that no older state of a label is published after a newer one. */
  let work: Promise<void> = Promise.resolve();
  const next = (task: () => Promise<void>): void => {
    work = work.then(task).catch((error: Error) => log.error({ error }, "labels could not be shown"));
  };

  logPresence(broker, log);
  broker.on("connect", () =>
    next(async () => {
      bridge.forget();
      await broker.publishAsync(topics.availability, "online", { qos: 1, retain: true });
      await bridge.refreshAll();
      await broker.subscribeAsync([topics.configs, ...(setsPrices ? [topics.commands] : [])], { qos: 1 });
      log.info({ broker: url, tree: topics.tree }, "labels are devices");
    }),
  );
  broker.on("message", (topic: string, payload: Buffer, { retain }: IPublishPacket) =>
    next(async () => {
      if (topic.endsWith("/config")) await bridge.removeUnknown(topic, payload);
      else await bridge.command(topic, payload, retain);
    }),
  );
  const refreshing = setInterval(() => next(() => bridge.refreshAll()), refreshMs);
  const close = async () => {
    clearInterval(refreshing);
    if (broker.connected) await broker.publishAsync(topics.availability, "offline", { qos: 1, retain: true });
    await broker.endAsync(true);
  };
  closeOnSignal(close, log);

  /** Changed labels that must be read. A label that changes often is read once for several changes. */
  const changed = new Set<string>();
  try {
    for await (const barcode of store.tail()) {
      if (changed.has(barcode)) continue;
      changed.add(barcode);
      next(() => {
        changed.delete(barcode);
        return bridge.refresh(barcode);
      });
    }
  } finally {
    await close();
  }
}
