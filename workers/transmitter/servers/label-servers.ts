import { isDeepStrictEqual } from "node:util";
import { type Division, isDivided, labelServersOf } from "../../../domain/linking/label-server-of.ts";
import { type LabelServerDirectory, type Place, serverKeyOf } from "../../../records/label-server-directory.ts";
import { idOf, labelServerKey, tenantOf } from "../../../schemas/keys.ts";
import type { LabelServer as Settings } from "../../../schemas/label-server.ts";
import type { Answer, LabelServer } from "../drivers/label-server.ts";

/** Every label server that the transmitter calls: the installation's label server and the tenants'. */
export interface LabelServers {
  /** Returns a label's label server. */
  of(place: Place): LabelServer;
  /** Whether departments of a store name label servers: a label's label server then depends on the label's record. */
  isDivided(store: string): boolean;
  /**
   * Returns the labels that are on this label server. If a label does not seem to be on it, the directory is read again first.
   */
  served<Of extends Place>(server: LabelServer, places: readonly Of[]): Promise<Of[]>;
  /** Returns the id of a label's label server; undefined for the installation's label server. */
  nameOf(place: Place): string | undefined;
  /** Whether `of` knows the label servers that a store's record and its departments name. */
  knows(store: Division & { _id: string }): boolean;
  all(): LabelServer[];
  /** The label servers that this process calls, with their keys; the installation's key is empty. */
  known(): [key: string, server: LabelServer][];
  /**
   * Returns a condition on the `store` field that restricts a query to stores with a label server that passes the test;
   * undefined if none passes. In a divided store, there may be labels on other label servers.
   */
  ofStores(test: (server: LabelServer) => boolean): OfStores | undefined;
  /** Reads again which label servers exist, and which stores and departments use them. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** A condition on the `store` field of records; absent for all stores. */
export interface OfStores {
  store?: { $in: string[] } | { $nin: string[] };
}

interface LabelServersOptions {
  /** The label server of stores that do not name one. */
  installation: LabelServer;
  readDirectory(): Promise<LabelServerDirectory>;
  /** Opens a label server. */
  open(settings: Settings): LabelServer;
}

interface Opened {
  server: LabelServer;
  settings: Settings;
}

/**
 * Keeps each label server open as long as its record is unchanged. Until the first refresh, all label servers count as
 * unavailable.
 */
export function createLabelServers({ installation, readDirectory, open }: LabelServersOptions): LabelServers {
  let opened = new Map<string, Opened>();
  const keyOfOpened = new WeakMap<LabelServer, string>();
  let directory: LabelServerDirectory | undefined;

  function serverAt(place: Place): LabelServer {
    if (directory === undefined) return unknownServer;
    return serverWith(serverKeyOf(directory, place));
  }

  const serverWith = (key: string | undefined): LabelServer =>
    key === undefined ? installation : (opened.get(key)?.server ?? unknownServer);

  /** Returns all label servers of a store. */
  function serversOf(store: string): LabelServer[] {
    const linkDepartments = directory?.departmentsOf.get(store) ?? [];
    return labelServersOf({ linkDepartments }).map((id) =>
      wayTo(serverWith(id === undefined ? directory?.serverOf.get(store) : labelServerKey(tenantOf(store), id)), store),
    );
  }

  const wayTo = (server: LabelServer, store: string): LabelServer => server.gateways?.of(store) ?? server;

  const labelServers: LabelServers = {
    of: (place) => wayTo(serverAt(place), place.store),
    isDivided: (store) => directory?.departmentsOf.has(store) ?? false,
    async served(server, places) {
      // Compared by key, since reports may still arrive through a connection that a change to the record is replacing.
      const key = keyOfOpened.get(server);
      const isOnIt = (place: Place) => directory !== undefined && serverKeyOf(directory, place) === key;
      if (!places.every(isOnIt)) await labelServers.refresh();
      return places.filter(isOnIt);
    },
    nameOf(place) {
      const key = directory && serverKeyOf(directory, place);
      return key === undefined ? undefined : idOf(key);
    },
    knows({ _id: store, labelServer, linkDepartments }) {
      const named = labelServer === undefined ? undefined : labelServerKey(tenantOf(store), labelServer);
      const departments = isDivided({ linkDepartments }) ? linkDepartments : undefined;
      return (
        directory !== undefined &&
        directory.serverOf.get(store) === named &&
        isDeepStrictEqual(directory.departmentsOf.get(store), departments)
      );
    },
    all: () => [installation, unknownServer, ...[...opened.values()].flatMap(({ server }) => withGateways(server))],
    known: () => [["", installation], ...[...opened].map(([key, { server }]): [string, LabelServer] => [key, server])],

    ofStores(test) {
      if (directory === undefined) return undefined;
      const { serverOf, departmentsOf } = directory;
      const named = [...new Set([...serverOf.keys(), ...departmentsOf.keys()])];
      const [passing, failing] = partition(named, (store) => serversOf(store).some(test));
      if (test(installation)) return failing.length === 0 ? {} : { store: { $nin: failing } };
      return passing.length === 0 ? undefined : { store: { $in: passing } };
    },

    async refresh() {
      const newest = await readDirectory();
      const former = opened;
      opened = new Map(
        [...newest.servers].map(([key, record]) => {
          const known = former.get(key);
          const settings = settingsOf(record);
          if (known && isDeepStrictEqual(known.settings, settings)) return [key, known];
          const server = open(settings);
          keyOfOpened.set(server, key);
          return [key, { server, settings }];
        }),
      );
      directory = newest;
      // Closing waits for the calls in progress.
      for (const [key, { server }] of former) if (opened.get(key)?.server !== server) void server.close();
    },

    async close() {
      await Promise.all([...opened.values()].map(({ server }) => server.close()));
    },
  };
  return labelServers;
}

const withGateways = (server: LabelServer): LabelServer[] => [server, ...(server.gateways?.all() ?? [])];

/** Returns the fields of a label server's record that determine how it is called. */
const settingsOf = ({ url, secret, otherSecret, driver, uploadIntervalMs, topicPrefix }: Settings): Settings => ({
  ...{ url, secret },
  ...(otherSecret !== undefined && { otherSecret }),
  ...(driver !== undefined && { driver }),
  ...(uploadIntervalMs !== undefined && { uploadIntervalMs }),
  ...(topicPrefix !== undefined && { topicPrefix }),
});

/** Uses one label server for every store. */
export const oneLabelServer = (server: LabelServer): LabelServers => ({
  of: () => server,
  isDivided: () => false,
  served: async (_, places) => [...places],
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
