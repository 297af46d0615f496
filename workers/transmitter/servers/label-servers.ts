import { isDeepStrictEqual } from "node:util";
import type { LabelServerDirectory } from "../../../records/label-server-directory.ts";
import { idOf, labelServerKey, tenantOf } from "../../../schemas/keys.ts";
import type { LabelServer as Settings } from "../../../schemas/label-server.ts";
import type { Answer, LabelServer } from "../drivers/label-server.ts";

/** Every label server that the transmitter calls: the installation's, and those of tenants. */
export interface LabelServers {
  /** The label server that a store is on. */
  of(store: string): LabelServer;
  /** Whether a store is on this label server, by the newest directory if it was not before. */
  serves(server: LabelServer, store: string): Promise<boolean>;
  /** The id of the label server that a store's record names; undefined for the installation's. */
  nameOf(store: string): string | undefined;
  /** Whether `of` knows that the store's record refers to this label server, or to none. */
  knows(store: string, labelServer: string | undefined): boolean;
  all(): LabelServer[];
  /** The keys of the label servers that this process calls, each with the way to it; the installation's key is empty. */
  known(): [key: string, server: LabelServer][];
  /**
   * Restricts a query to records of stores whose label server passes the test, by their field `store`; undefined if
   * none passes.
   */
  ofStores(test: (server: LabelServer) => boolean): OfStores | undefined;
  /** Reads again which label servers there are, and which stores are on them. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** A condition on the field `store` of records; none for all stores. */
export interface OfStores {
  store?: { $in: string[] } | { $nin: string[] };
}

interface LabelServersOptions {
  /** The label server of stores that do not refer to one. */
  installation: LabelServer;
  readDirectory(): Promise<LabelServerDirectory>;
  /** Opens the way to a label server. */
  open(settings: Settings): LabelServer;
}

interface Opened {
  server: LabelServer;
  settings: Settings;
}

/**
 * Keeps one lane per label server, as long as its record is unchanged. Until the first refresh, all count
 * as unavailable.
 */
export function createLabelServers({ installation, readDirectory, open }: LabelServersOptions): LabelServers {
  let opened = new Map<string, Opened>();
  let serverOf: ReadonlyMap<string, string> | undefined;

  function serverAt(store: string): LabelServer {
    if (serverOf === undefined) return unknownServer;
    const key = serverOf.get(store);
    return key === undefined ? installation : (opened.get(key)?.server ?? unknownServer);
  }

  function of(store: string): LabelServer {
    const server = serverAt(store);
    return server.gateways?.of(store) ?? server;
  }

  const labelServers: LabelServers = {
    of,
    async serves(server, store) {
      if (serverAt(store) === server) return true;
      await labelServers.refresh();
      return serverAt(store) === server;
    },
    nameOf(store) {
      const key = serverOf?.get(store);
      return key === undefined ? undefined : idOf(key);
    },
    knows: (store, labelServer) =>
      serverOf?.get(store) === (labelServer === undefined ? undefined : labelServerKey(tenantOf(store), labelServer)),
    all: () => [installation, unknownServer, ...[...opened.values()].flatMap(({ server }) => withGateways(server))],
    known: () => [["", installation], ...[...opened].map(([key, { server }]): [string, LabelServer] => [key, server])],

    ofStores(test) {
      if (serverOf === undefined) return undefined;
      const [passing = [], failing = []] = partition([...serverOf.keys()], (store) => test(of(store)));
      if (test(installation)) return failing.length === 0 ? {} : { store: { $nin: failing } };
      return passing.length === 0 ? undefined : { store: { $in: passing } };
    },

    async refresh() {
      const directory = await readDirectory();
      const former = opened;
      opened = new Map(
        [...directory.servers].map(([key, record]) => {
          const known = former.get(key);
          const settings = settingsOf(record);
          return [
            key,
            known && isDeepStrictEqual(known.settings, settings) ? known : { server: open(settings), settings },
          ];
        }),
      );
      serverOf = directory.serverOf;
      // Calls that are under way are finished first.
      for (const [key, { server }] of former) if (opened.get(key)?.server !== server) void server.close();
    },

    async close() {
      await Promise.all([...opened.values()].map(({ server }) => server.close()));
    },
  };
  return labelServers;
}

const withGateways = (server: LabelServer): LabelServer[] => [server, ...(server.gateways?.all() ?? [])];

/** The fields of a label server's record by which it is called. */
const settingsOf = ({ url, secret, otherSecret, driver, uploadIntervalMs, topicPrefix }: Settings): Settings => ({
  ...{ url, secret },
  ...(otherSecret !== undefined && { otherSecret }),
  ...(driver !== undefined && { driver }),
  ...(uploadIntervalMs !== undefined && { uploadIntervalMs }),
  ...(topicPrefix !== undefined && { topicPrefix }),
});

/** One label server for every store. */
export const oneLabelServer = (server: LabelServer): LabelServers => ({
  of: () => server,
  serves: async () => true,
  nameOf: () => undefined,
  knows: () => true,
  all: () => [server],
  known: () => [["", server]],
  ofStores: (test) => (test(server) ? {} : undefined),
  refresh: async () => {},
  close: async () => {},
});

const LATER: Answer = { kind: "later", afterMs: 1_000 };

/** Used while a store names a label server that this process has not read yet. */
const unknownServer: LabelServer = {
  isAway: () => true,
  failingSince: () => undefined,
  deniedSince: () => undefined,
  backSince: () => undefined,
  lastCalls: () => ({}),
  sendPage: async () => LATER,
  sendOrder: async () => LATER,
  close: async () => {},
};

const partition = <T>(values: readonly T[], test: (value: T) => boolean): [T[], T[]] => [
  values.filter(test),
  values.filter((value) => !test(value)),
];
