import type { ExecutionContext } from "ava";
import { connectAsync, type IClientOptions, type IPublishPacket } from "mqtt";
import type { LabelReport } from "../../../../../schemas/label-report.ts";
import type { LabelServer as Settings } from "../../../../../schemas/label-server.ts";
import type { LabelServer, Report } from "../../../../../workers/transmitter/drivers/label-server.ts";
import { openBroker } from "../../../../../workers/transmitter/drivers/mqtt/driver.ts";
import { eventually, STUCK_AFTER_MS } from "../../../../harness/eventually.ts";
import { type Broker, openMosquitto } from "../../../../harness/label-servers/mosquitto.ts";
import { page } from "../../serve.ts";

export const STORE = "t/demo/s/main";
export const SECRET = "the-password-of-shelfwire";
export const GATEWAY = { username: "gateway", password: "the-password-of-the-gateway" };
export const USERS = { shelfwire: SECRET, [GATEWAY.username]: GATEWAY.password };

interface SceneOptions extends Partial<Omit<Parameters<typeof openMosquitto>[0], "tls">> {
  settings?: Partial<Settings>;
  /** Stores reports; may fail. */
  report?: Report;
  serves?: (store: string, barcode: string) => boolean;
}

/** No message times out, even if the thread of the broker's client is blocked. */
const times = {
  page: { timeoutMs: STUCK_AFTER_MS, retryAfterMs: 3_000 },
  order: { timeoutMs: STUCK_AFTER_MS, retryAfterMs: 1_000 },
};

/** A broker and a driver connected to it, with the driver's reports and log lines. Both end with the test. */
export async function openScene(t: ExecutionContext, options: SceneOptions = {}) {
  const broker = await openMosquitto({ users: USERS, ...options });
  const scene = openDriverAt(broker.url, options);
  t.teardown(async () => {
    await scene.driver.close();
    await broker.close();
  });
  await eventually("the driver is connected", async () => !scene.driver.isAway());
  return { ...scene, broker, gateway: (more?: IClientOptions) => openClient(t, broker, more) };
}

/** A driver for the broker at an address, with the driver's reports and log lines. */
export function openDriverAt(url: string, { settings, report, serves = () => true }: SceneOptions = {}) {
  const reports: LabelReport[] = [];
  const logged: object[] = [];
  const driver = openBroker(
    { url, secret: SECRET, driver: "mqtt", ...settings },
    {
      ...{ clock: () => performance.now(), onCall: () => {} },
      report: report ?? (async (more) => reports.push(...more) > 0),
      served: async (_server: LabelServer, all: readonly LabelReport[]) =>
        all.filter(({ store, barcode }) => serves(store, barcode)),
      log: { warn: (fields: object) => void logged.push(fields) },
      times,
    },
  );
  return {
    driver,
    reports,
    logged,
    send: (number: number, store = STORE) => driver.sendPage({ ...page, number, store }),
    flash: (number: number) =>
      driver.sendOrder({ ...page, number, order: "flash", body: { duration: 4, color: "GREEN", flashType: 50 } }),
  };
}

/** A client of the broker, with the messages that it has received. It ends with the test. */
async function openClient(t: ExecutionContext, broker: Broker, more: IClientOptions = {}) {
  const client = await connectAsync(broker.url, { protocolVersion: 5, ...GATEWAY, ...more });
  t.teardown(() => client.endAsync(true));
  const received: IPublishPacket[] = [];
  client.on("message", (_topic, _payload, packet) => received.push(packet));
  return {
    client,
    received,
    subscribe: (filter: string) => client.subscribeAsync(filter, { qos: 1 }),
    says: (topic: string, value: object, retain = false) =>
      client.publishAsync(`shelfwire/demo/${topic}`, JSON.stringify(value), { qos: 1, retain }),
    numbers: () => received.map(({ properties }) => Number(properties?.userProperties?.number)),
  };
}

export const reportOf = (barcode: string, store = STORE) =>
  ({ store, barcode, kind: "check-in", at: "2026-07-01T10:00:00.000Z" }) as const;
