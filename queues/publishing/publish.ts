import type { Db } from "mongodb";
import type { Live } from "../../domain/publishing/live.ts";
import { endedCanvas, endedDesign, inOrder } from "../../domain/publishing/subjects.ts";
import { drafts, publicationContents, publications } from "../../records/kinds/publishing.ts";
import { listVersions } from "../../records/publishing/read-versions.ts";
import type { Records } from "../../records/records.ts";
import type { CanvasDesign } from "../../schemas/canvas.ts";
import type { CommunicationPack, Design } from "../../schemas/design.ts";
import { draftKey, idOf, publicationContentKey, publicationKey, tenantOf } from "../../schemas/keys.ts";
import type { Publication } from "../../schemas/publication.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Commit } from "../changes/commit.ts";
import { activate } from "./activate.ts";
import { dropContents } from "./drop-contents.ts";
import { type Thing, thingOf } from "./things.ts";
import { MAX_VERSIONS, type Versions } from "./versions.ts";

export interface PublishWorld {
  db: Db;
  records: Records;
  commit: Commit;
  versions: Versions;
  /** By the database's clock. */
  databaseNow(): Date;
}

type Change = Publication["changes"][number];

/**
 * Completes a publication that is PUBLISHING: writes each content once, activates the pack, deletes things, and removes the
 * drafts. Every step may be repeated, even by several processes at the same time: a worker continues the publication of a
 * killed process.
 */
export function createPublish({ db, records, commit, versions, databaseNow }: PublishWorld) {
  /** Returns the number of the version that a publication created; undefined if it has not created a version yet. */
  async function madeVersion(publication: string, thing: Thing): Promise<number | undefined> {
    const record = (await records.read(thing.kind, [thing.key])).get(thing.key);
    if (record?.version?.publication === publication) return record.version.number;
    const stored = await listVersions(db, thing.key, { limit: MAX_VERSIONS });
    return stored.find((version) => version.publication === publication)?.number;
  }

  async function readBody({ _id }: Stored<Publication>, { key }: Thing): Promise<{ body?: Live } | undefined> {
    const contentKey = publicationContentKey(_id, key);
    const content = (await records.read(publicationContents, [contentKey])).get(contentKey);
    return content && (content.body === undefined ? {} : { body: JSON.parse(content.body) as Live });
  }

  async function apply(publication: Stored<Publication>, thing: Thing, body: Live | undefined): Promise<void> {
    const id = idOf(publication._id);
    const { author, note } = publication;
    const by = { author, publication: id, ...(note !== undefined && { note }) };
    if (body === undefined && thing.subject === "communication-packs") return removePack(thing, by);
    const decide = (current: Stored<Live> | undefined) => {
      if (current?.version?.publication === id) return undefined;
      if (body === undefined) return current?.deleted ? undefined : endOf(thing, current);
      return { ...body, ...activationsOf(current) };
    };
    await versions.save(thing, decide, by);
  }

  async function removePack(thing: Thing, by: Parameters<Versions["remove"]>[2]): Promise<void> {
    for (;;) {
      const record = (await records.read(thing.kind, [thing.key])).get(thing.key);
      if (record === undefined || (await versions.remove(thing, record, by))) return;
    }
  }

  async function end(publication: Stored<Publication>, made: ReadonlyMap<Change, number>): Promise<void> {
    const tenant = tenantOf(publication._id);
    const keys = publication.changes.map(({ subject, id }) => thingOf(tenant, subject, id).key);
    const published = publication.changes.flatMap(({ draftRev }, index) =>
      draftRev === undefined ? [] : [{ key: draftKey(keys[index] ?? ""), rev: draftRev }],
    );
    await records.remove(drafts, published);
    await dropContents({ records }, publication);
    const { rollsBack } = publication;
    if (rollsBack !== undefined) await markRolledBack(publicationKey(tenant, rollsBack), idOf(publication._id));
    const changes = publication.changes.map((change) => {
      const to = made.get(change);
      return to === undefined ? change : { ...change, to };
    });
    const now = databaseNow();
    // The canary has yet to be ended.
    const done = (current: Publication) => ({
      ...withoutDue(current),
      state: "DONE" as const,
      changes,
      endedAt: now,
      ...(current.canary && { due: now }),
    });
    await commit.change(
      publications,
      [publication._id],
      (_, current) => (current?.state === "PUBLISHING" ? done(current) : undefined),
      "interactive",
    );
  }

  async function markRolledBack(key: string, by: string): Promise<void> {
    await commit.change(
      publications,
      [key],
      (_, current) =>
        current && {
          ...(current.canary ? current : withoutDue(current)),
          state: "ROLLED_BACK" as const,
          rolledBackBy: by,
        },
      "interactive",
    );
  }

  return async (key: string): Promise<void> => {
    const publication = (await records.read(publications, [key])).get(key);
    if (publication?.state !== "PUBLISHING") return;
    const tenant = tenantOf(key);
    const made = new Map<Change, number>();
    const deletions: [Change, Thing][] = [];
    const note = async (change: Change, thing: Thing) => {
      const number = await madeVersion(idOf(key), thing);
      if (number !== undefined) made.set(change, number);
    };
    for (const change of inOrder(publication.changes)) {
      const thing = thingOf(tenant, change.subject, change.id);
      await note(change, thing);
      const content = made.has(change) ? undefined : await readBody(publication, thing);
      if (content === undefined) continue;
      if (content.body === undefined) deletions.unshift([change, thing]);
      else await apply(publication, thing, content.body);
      await note(change, thing);
    }
    const { pack } = publication.activation ?? {};
    if (pack) await activate(commit, tenant, pack);
    for (const [change, thing] of deletions) {
      await apply(publication, thing, undefined);
      await note(change, thing);
    }
    await end(publication, made);
  };
}

/** Returns what remains of a deleted design or canvas. */
function endOf({ subject }: Thing, current: Stored<Live> | undefined): Live | undefined {
  if (current === undefined) return undefined;
  return subject === "designs"
    ? endedDesign(current as unknown as Design)
    : endedCanvas(current as unknown as CanvasDesign);
}

/** Returns a pack's activation count, which publishing must preserve; empty if it has never been activated. */
function activationsOf(current: Live | undefined): Pick<CommunicationPack, "activations"> {
  const { activations } = (current ?? {}) as Pick<CommunicationPack, "activations">;
  return activations === undefined ? {} : { activations };
}

/** Returns a publication with nothing left for workers to do. */
export function withoutDue(publication: Publication): Publication {
  const { due: _, ...others } = publication;
  return others;
}
