import type { Db } from "mongodb";
import { contentOf, isSameBody, type Live } from "../../domain/publishing/live.ts";
import type { RecordKind } from "../../records/kind.ts";
import { versions } from "../../records/kinds/publishing.ts";
import { listRecords } from "../../records/list-records.ts";
import { listVersions, oldestVersions } from "../../records/publishing/read-versions.ts";
import type { Records } from "../../records/records.ts";
import { tenantOf, versionKey, versionsUnder } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import type { Subject, Version, VersionMark } from "../../schemas/version.ts";
import type { Commit } from "../changes/commit.ts";

/** Who makes a change, and why. */
export type MadeBy = Pick<VersionMark, "author" | "note" | "publication">;

/** A versioned record: its subject, kind and key. */
export interface Versioned<Body extends Live> {
  subject: Subject;
  kind: RecordKind<Body>;
  key: string;
}

/** Changes to live things. Each change is a version. */
export interface Versions {
  /**
   * Writes what `decide` returns as a new version. If `decide` returns undefined or an unchanged body, nothing is written.
   * `decide` is called again if another writer was first. Returns the resulting record.
   */
  save<Body extends Live>(
    thing: Versioned<Body>,
    decide: (current: Stored<Body> | undefined) => Body | undefined,
    by: MadeBy,
  ): Promise<Stored<Body> | undefined>;
  /** Removes a record whose kind has no tombstones, if it still has this rev; returns whether it did. */
  remove<Body extends Live>(thing: Versioned<Body>, record: Stored<Body>, by: MadeBy): Promise<boolean>;
  /** Returns the live version; undefined if there never was one. */
  live<Body extends Live>(thing: Versioned<Body>, record: Stored<Body> | undefined): Promise<Version | undefined>;
}

interface VersionsWorld {
  db: Db;
  records: Records;
  commit: Commit;
  now(): Date;
}

/** Maximum number of versions kept per record. */
export const MAX_VERSIONS = 200;

/**
 * A record contains its version number, so it is its own newest version. A copy is stored after each write, and before the next
 * write if it is missing. So no version is lost if the process is killed in between, and no version exists that was never live
 * (docs/decisions/management/versions.md).
 */
export function createVersions({ db, records, commit, now }: VersionsWorld): Versions {
  async function store(key: string, version: Version): Promise<void> {
    await commit.change(
      versions,
      [versionKey(key, version.number)],
      (_, present) => (present ? undefined : version),
      "interactive",
    );
  }

  const newestStored = async (key: string) => (await listVersions(db, key, { limit: 1 }))[0];

  const live: Versions["live"] = async ({ subject, key }, record) => {
    const newest = await newestStored(key);
    if (record?.version) return versionOf(subject, record, record.version);
    if (record === undefined) {
      if (newest === undefined || newest.isDeletion) return newest;
      return { number: newest.number + 1, at: now(), isDeletion: true };
    }
    // The record was written by a release that kept no versions.
    const number = newest?.ofRev === record.rev ? newest.number : (newest?.number ?? 0) + 1;
    return { ...versionOf(subject, record, { number, at: record.changedAt }), ofRev: record.rev };
  };

  /** Stores the live version, which the next change replaces, and returns the next version's number. */
  async function keepLive<Body extends Live>(thing: Versioned<Body>, current: Stored<Body> | undefined) {
    const version = await live(thing, current);
    if (version === undefined) return 1;
    await store(thing.key, version);
    return version.number + 1;
  }

  async function drop(key: string, number: number): Promise<void> {
    const old = [];
    const listing = { prefix: versionsUnder(key), fields: ["number"], limit: MAX_VERSIONS };
    for await (const batch of listRecords(db, versions, listing))
      old.push(...batch.filter((version) => version.number <= number - MAX_VERSIONS));
    const tenant = tenantOf(key);
    const excess = (await records.count(versions, `${tenant}/versions/`)) - tenantLimits.versions;
    if (excess > 0) old.push(...(await oldestVersions(db, tenant, excess)));
    await records.remove(
      versions,
      old.map(({ _id, rev }) => ({ key: _id, rev })),
    );
  }

  return {
    live,

    async save<Body extends Live>(
      thing: Versioned<Body>,
      decide: (current: Stored<Body> | undefined) => Body | undefined,
      by: MadeBy,
    ) {
      const { subject, kind, key } = thing;
      for (;;) {
        const current = (await records.read(kind, [key])).get(key);
        const body = decide(current);
        if (body === undefined || (current && isSameBody(current, body))) return current;
        const version = { number: await keepLive(thing, current), at: now(), ...by };
        const decision = { key, current, body: { ...body, version } };
        const { written } = await commit.write(kind, [decision], "interactive");
        const [saved] = written;
        if (saved === undefined) continue;
        await store(key, versionOf(subject, saved, version));
        await drop(key, version.number);
        return saved;
      }
    },

    async remove(thing, record, by) {
      const { kind, key } = thing;
      const number = await keepLive(thing, record);
      if ((await records.remove(kind, [{ key, rev: record.rev }])) === 0) return false;
      await store(key, { number, at: now(), ...by, isDeletion: true });
      await drop(key, number);
      return true;
    },
  };
}

function versionOf(subject: Subject, record: Live, mark: VersionMark): Version {
  const content = contentOf(subject, record);
  return { ...mark, ...(content ? { content: JSON.stringify(content) } : { isDeletion: true as const }) };
}
