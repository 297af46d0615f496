import { randomUUID } from "node:crypto";
import { connect, type IPublishPacket, type MqttClient } from "mqtt";
import { reprDigest } from "../../runtime/repr-digest.ts";
import type { Order, Report } from "../label-server/emulated-label.ts";
import type { createLabels } from "../label-server/labels.ts";
import { type Observer, openLivingLabels } from "../label-server/scenario/living-labels.ts";
import type { Scenario } from "../label-server/scenario/scenario.ts";

export interface GatewayOptions extends Observer {
  /** The URL of the broker. */
  url: string;
  user: string;
  password: string;
  prefix: string;
  /** The key of the gateway's store. */
  store: string;
  airTimeMs: number;
  /** What goes wrong, and how the labels behave. */
  scenario: Scenario;
}

export type Gateway = ReturnType<typeof openGateway>;
type Labels = ReturnType<typeof createLabels>;

const KEEPALIVE_S = 10;
const RECONNECT_MS = 200;
const SESSION_EXPIRY_S = 3_600;
const FLUSH_MS = 20;
const RETRY_MS = 500;
const REPORTS_PER_MESSAGE = 1_000;
const NO_MATCHING_SUBSCRIBERS = 0x10;

/** Emulates the gateway of a store behind a broker, with its labels (docs/label-servers/mqtt.md). */
export function openGateway(options: GatewayOptions) {
  const { prefix, store } = options;
  const [, tenantId, , storeId] = store.split("/");
  const tree = `${prefix}/${tenantId}/${storeId}`;
  const living = openLivingLabels({ ...options, send: take });
  const { labels } = living;
  const waiting: Report[] = [];
  let timer: NodeJS.Timeout | undefined;
  // A message that the broker repeats was not sent again by Shelfwire, so it is not observed.
  const handle = (packet: IPublishPacket): void =>
    receive(packet.retain || packet.dup ? labels : living.observed, store, tree, packet);
  let client = connectTo(tree, options, handle);

  function take(report: Report): void {
    waiting.push(report);
    if (!client.disconnecting) timer ??= setTimeout(flush, FLUSH_MS);
  }

  /** Sends what is waiting. A message that reached nobody is sent again. */
  async function flush(): Promise<void> {
    const sender = client;
    const batch = waiting.slice(0, REPORTS_PER_MESSAGE);
    if (batch.length === 0) {
      timer = undefined;
      return;
    }
    const payload = JSON.stringify({ reports: batch });
    const isHeard = await publish(sender, `${tree}/reports`, payload).catch(() => false);
    // The gateway was closed, or it was restarted and sends by a new timer.
    if (client !== sender || sender.disconnecting) return;
    if (isHeard) waiting.splice(0, batch.length);
    timer = waiting.length > 0 ? setTimeout(flush, isHeard ? FLUSH_MS : RETRY_MS) : undefined;
  }

  return {
    labels,
    mishaps: living.mishaps,
    waitingReports: () => waiting.length,
    /** Restarts the gateway as after a power cut. If it forgets, it loses its session and what it has accepted. */
    restart({ forgets }: { forgets: boolean }): void {
      clearTimeout(timer);
      client.end(true);
      if (forgets) {
        waiting.length = 0;
        labels.forget();
      }
      client = connectTo(tree, options, handle, forgets);
      timer = setTimeout(flush, FLUSH_MS);
    },
    async close(): Promise<void> {
      living.close();
      clearTimeout(timer);
      await client.endAsync(true);
    },
  };
}

/** Connects to the broker, publishes a retained message saying that the gateway is online, and subscribes to its topics. */
function connectTo(
  tree: string,
  { url, user, password }: GatewayOptions,
  handle: (packet: IPublishPacket) => void,
  forgets = false,
): MqttClient {
  const state = { topic: `${tree}/state`, qos: 1, retain: true } as const;
  const client = connect(url, {
    ...{
      protocolVersion: 5,
      clientId: `gateway-${tree}`,
      username: user,
      password,
      clean: forgets,
      resubscribe: false,
    },
    ...{ keepalive: KEEPALIVE_S, reconnectPeriod: RECONNECT_MS, reconnectOnConnackError: true },
    properties: { sessionExpiryInterval: SESSION_EXPIRY_S },
    will: { ...state, payload: Buffer.from(JSON.stringify({ state: "offline" })) },
  });
  const boot = randomUUID();
  client.on("connect", () => {
    // Only the first connection may begin a new session. Later connections continue that session.
    client.options.clean = false;
    client.subscribe(`${tree}/labels/#`, { qos: 1 });
    client.publish(state.topic, JSON.stringify({ state: "online", boot }), state);
  });
  client.on("message", (_topic, _payload, packet) => handle(packet));
  client.on("error", () => {});
  return client;
}

/** Publishes a message. Returns false if there is no connection, or nobody is subscribed to its topic. */
async function publish(client: MqttClient, topic: string, payload: string): Promise<boolean> {
  if (!client.connected) return false;
  const unheard = new Set<number | undefined>();
  const note = (packet: { cmd: string; messageId?: number | undefined; reasonCode?: number | undefined }) => {
    if (packet.cmd === "puback" && packet.reasonCode === NO_MATCHING_SUBSCRIBERS) unheard.add(packet.messageId);
  };
  client.on("packetreceive", note);
  try {
    const published = client.publishAsync(topic, payload, { qos: 1 });
    const id = client.getLastMessageId();
    await published;
    return !unheard.has(id);
  } finally {
    client.off("packetreceive", note);
  }
}

/** Carries out a message. Messages in another format, or with a wrong digest, have no effect. */
function receive(labels: Labels, store: string, tree: string, { topic, payload, properties }: IPublishPacket): void {
  const [level, id = "", ...rest] = topic.slice(tree.length + 1).split("/");
  const named = properties?.userProperties ?? {};
  const number = Number(named.number);
  if (level !== "labels" || !(number > 0)) return;
  const barcode = decodeURIComponent(id);
  const content = Buffer.from(payload);
  const [transceiver = ""] = String(named.transceiver ?? "").split(", ");
  const label = labels.obtain(barcode, store, decodeURIComponent(transceiver) || undefined);
  const [kind = "", which = ""] = rest;
  const key = `${barcode}-${which}-${number}`;
  if (kind === "orders") {
    const body: Order["body"] = JSON.parse(content.toString());
    labels.obey(label, { kind: which as Order["kind"], number, priority: String(named.priority), body });
  }
  if (named["repr-digest"] !== reprDigest(content)) return;
  if (kind === "pages") labels.receive(label, { key, number, page: Number(which), png: content });
  if (kind === "segments") {
    const { text }: { text: string } = JSON.parse(content.toString());
    labels.receive(label, { key, number, page: 0, png: Buffer.alloc(0), text });
  }
}
