import { labelKey, labelServerKey, storeKey } from "../../../../schemas/keys.ts";
import type {
  Answer,
  LabelServer,
  OrderToSend,
  PageToSend,
} from "../../../../workers/transmitter/drivers/label-server.ts";
import { createLabelServers } from "../../../../workers/transmitter/servers/label-servers.ts";

/** A label server in memory that accepts every call, or answers no call until it is released. */
interface Server extends LabelServer {
  pages: PageToSend[];
  orders: OrderToSend[];
}

/** This many label servers with one store each; the first `hanging` of them hang. */
export async function manyServers(count: number, hanging: number) {
  const released = Promise.withResolvers<void>();
  const open = (isHanging: boolean): Server => {
    const pages: PageToSend[] = [];
    const orders: OrderToSend[] = [];
    const answer = async <Call>(calls: Call[], call: Call): Promise<Answer> => {
      calls.push(call);
      if (isHanging) await released.promise;
      return { kind: "accepted" };
    };
    return {
      ...{ pages, orders },
      sendPage: (page) => answer(pages, page),
      sendOrder: (order) => answer(orders, order),
      isAway: () => false,
      failingSince: () => undefined,
      deniedSince: () => undefined,
      backSince: () => undefined,
      lastCalls: () => ({}),
      close: async () => {},
    };
  };
  const all = Array.from({ length: count }, (_, index) => ({
    key: labelServerKey("t/demo", `air-${index}`),
    store: storeKey("demo", `air-${index}`),
    server: open(index < hanging),
  }));
  const labelServers = createLabelServers({
    installation: open(false),
    readDirectory: async () => ({
      servers: new Map(all.map(({ key }) => [key, { url: key, secret: "a secret" }])),
      serverOf: new Map(all.map(({ key, store }) => [store, key])),
      departmentsOf: new Map(),
      withSecret: new Map(),
    }),
    open: ({ url }) => all.find(({ key }) => key === url)?.server ?? open(true),
  });
  await labelServers.refresh();
  return {
    labelServers,
    hanging: all.slice(0, hanging),
    others: all.slice(hanging),
    labelsOf: (store: string, labels: number) =>
      Array.from({ length: labels }, (_, index) => labelKey(store, `label-${index}`)),
    release: released.resolve,
  };
}
