import { hash } from "node:crypto";
import type { Db } from "mongodb";
import { isDivided, labelServerOf } from "../domain/linking/label-server-of.ts";
import type { Addressing } from "../domain/linking/transceivers.ts";
import { keysUnder, labelServerKey, tenantKey, tenantOf } from "../schemas/keys.ts";
import { type LabelServer, secretsOf } from "../schemas/label-server.ts";
import type { Stored } from "../schemas/record.ts";
import type { LinkDepartment, Store } from "../schemas/store.ts";
import { labelServers, stores } from "./kinds/tenants.ts";

/** The label servers of all tenants, and the stores that use one of them. Other stores use the installation's label server. */
export interface LabelServerDirectory {
  /** By key. */
  servers: ReadonlyMap<string, LabelServer>;
  /** By the store's key, the key of the label server that the store names. */
  serverOf: ReadonlyMap<string, string>;
  /** By the store's key, the departments of each store in which a department has its own label server. */
  departmentsOf: ReadonlyMap<string, readonly LinkDepartment[]>;
  /**
   * The keys of label servers by the digests of their secrets. A look-up by digest takes equally long for every wrong secret.
   */
  withSecret: ReadonlyMap<string, readonly string[]>;
}

/** Where a label is: its store's key, and the fields of its record that determine its department. */
export interface Place extends Addressing {
  store: string;
}

type Assignment = Pick<LabelServerDirectory, "serverOf" | "departmentsOf">;

/** Returns the key of a label's label server; undefined for the installation's label server. */
export function serverKeyOf({ serverOf, departmentsOf }: Assignment, place: Place): string | undefined {
  const { store } = place;
  const linkDepartments = departmentsOf.get(store);
  const own = linkDepartments && labelServerOf(place, { linkDepartments });
  return own === undefined ? serverOf.get(store) : labelServerKey(tenantOf(store), own);
}

export const digestOf = (secret: string): string => hash("sha256", secret, "base64url");

/**
 * Reads the directory, unless it was read within `maxAgeMs`. With 0, the read starts after the call. Only one read is under way
 * at a time, so parallel calls cost no more than sequential calls.
 */
export function openLabelServerDirectory(
  db: Db,
  clock: () => number,
): (maxAgeMs: number) => Promise<LabelServerDirectory> {
  let last: { at: number; directory: LabelServerDirectory } | undefined;
  let running: Promise<LabelServerDirectory> | undefined;
  let next: Promise<LabelServerDirectory> | undefined;

  function begin(): Promise<LabelServerDirectory> {
    const at = clock();
    const reading = read(db)
      .then((directory) => {
        last = { at, directory };
        return directory;
      })
      .finally(() => {
        running = undefined;
      });
    running = reading;
    return reading;
  }

  function beginNext(before: Promise<unknown>): Promise<LabelServerDirectory> {
    const beginThen = () => {
      next = undefined;
      return begin();
    };
    // This read starts even if the previous read fails: that failure concerns only the previous read's callers.
    return before.then(beginThen, beginThen);
  }

  return async (maxAgeMs) => {
    if (last && maxAgeMs > 0 && clock() - last.at <= maxAgeMs) return last.directory;
    if (running === undefined) return begin();
    if (maxAgeMs > 0) return running;
    next ??= beginNext(running);
    return next;
  };
}

async function read(db: Db): Promise<LabelServerDirectory> {
  const [servers, named, divided] = await Promise.all([
    db
      .collection<Stored<LabelServer>>(labelServers.name)
      .find({ _id: keysUnder(tenantKey("")) })
      .toArray(),
    db
      .collection<Stored<Store>>(stores.name)
      .find({ labelServer: { $exists: true } }, { projection: { labelServer: 1 } })
      .toArray(),
    db
      .collection<Stored<Store>>(stores.name)
      .find({ "linkDepartments.labelServer": { $exists: true } }, { projection: { linkDepartments: 1 } })
      .toArray(),
  ]);
  const withDigests = servers.flatMap((server) =>
    secretsOf(server).map((secret) => [digestOf(secret), server._id] as const),
  );
  const bySecret = Map.groupBy(withDigests, ([digest]) => digest);
  return {
    withSecret: new Map([...bySecret].map(([digest, group]) => [digest, group.map(([, key]) => key)])),
    servers: new Map(servers.map((server) => [server._id, server])),
    serverOf: new Map(named.map(({ _id, labelServer = "" }) => [_id, labelServerKey(tenantOf(_id), labelServer)])),
    departmentsOf: new Map(divided.filter(isDivided).map(({ _id, linkDepartments }) => [_id, linkDepartments])),
  };
}
