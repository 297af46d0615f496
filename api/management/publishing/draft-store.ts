import type { Db } from "mongodb";
import type { Commit } from "../../../queues/changes/commit.ts";
import type { Thing } from "../../../queues/publishing/things.ts";
import type { Versions } from "../../../queues/publishing/versions.ts";
import { drafts } from "../../../records/kinds/publishing.ts";
import { listRecords } from "../../../records/list-records.ts";
import type { Records } from "../../../records/records.ts";
import { draftKey, tenantOf } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { type Content, type Draft, type DraftAnswer, MAX_DRAFT_BYTES } from "../../../schemas/version.ts";
import { assertFaultless, createFinder, missing } from "../find-records.ts";

type Summary = Omit<DraftAnswer, "content">;

export interface DraftStoreWorld {
  db: Db;
  records: Records;
  commit: Commit;
  versions: Versions;
}

const summaryFields = ["subject", "id", "author", "note", "basedOn", "changedAt"];

export type DraftStore = ReturnType<typeof createDraftStore>;

/** Reads and writes drafts. */
export function createDraftStore({ db, records, commit, versions }: DraftStoreWorld) {
  const found = createFinder(records, {
    kind: drafts,
    noun: "draft",
    keyOf: (tenant, path) => `${tenant}/drafts/${path}`,
  });
  const pathOf = (key: string) => key.slice(`${tenantOf(key)}/`.length);

  async function read({ key }: Pick<Thing, "key">): Promise<Stored<Draft> | undefined> {
    return (await records.read(drafts, [draftKey(key)])).get(draftKey(key));
  }

  return {
    read,

    async one(thing: Thing): Promise<Stored<Draft>> {
      const draft = await read(thing);
      if (draft === undefined) throw missing(`draft of the ${thing.noun}`, thing.id);
      return draft;
    },

    /** Returns all drafts of a tenant, without their contents. */
    async all(tenant: string): Promise<Summary[]> {
      const batches = await Array.fromAsync(
        listRecords(db, drafts, { prefix: `${tenant}/drafts/`, fields: summaryFields }),
      );
      return batches.flat().map(summaryOf);
    },

    /** Returns the keys of the tenant's designs that have a draft. */
    async designKeys(tenant: string): Promise<string[]> {
      const batches = await Array.fromAsync(records.scanKeys(drafts, `${tenant}/drafts/designs/`));
      return batches.flat().map((key) => `${tenant}${key.slice(`${tenant}/drafts`.length)}`);
    },

    /** Saves a draft; `assertSeen` may refuse to replace the current one. */
    async save(
      thing: Thing,
      { content, author, note }: Pick<DraftAnswer, "content" | "author"> & { note?: string | undefined },
      assertSeen: (present: Stored<Draft> | undefined) => void,
      isBegunAnew = false,
    ): Promise<Stored<Draft>> {
      const { key, subject, id, kind } = thing;
      const text = boundedText(content);
      await found.assertRoom(tenantOf(key), pathOf(key), tenantLimits.drafts);
      const live = await versions.live(thing, (await records.read(kind, [key])).get(key));
      const write = (_: string, present: Stored<Draft> | undefined): Draft => {
        assertSeen(present);
        const basedOn = isBegunAnew ? undefined : present?.basedOn;
        return {
          ...{ subject, id, content: text, author },
          ...(note !== undefined && { note }),
          basedOn: basedOn ?? live?.number ?? 0,
        };
      };
      const saved = await commit.change(drafts, [draftKey(key)], write, "interactive");
      const draft = saved.get(draftKey(key)) ?? (await read(thing));
      if (draft === undefined) throw missing(`draft of the ${thing.noun}`, id);
      return draft;
    },

    /** Removes a draft if it still has this rev; returns whether it did. */
    remove: async ({ _id, rev }: Pick<Stored<Draft>, "_id" | "rev">): Promise<boolean> =>
      (await records.remove(drafts, [{ key: _id, rev }])) > 0,
  };
}

function boundedText(content: Content): string {
  const text = JSON.stringify(content);
  const bytes = Buffer.byteLength(text);
  const detail = `is ${bytes} bytes as JSON, more than the maximum of ${MAX_DRAFT_BYTES}`;
  assertFaultless(bytes > MAX_DRAFT_BYTES ? [{ pointer: "/content", detail }] : []);
  return text;
}

const summaryOf = ({ subject, id, author, note, changedAt, basedOn }: Omit<Stored<Draft>, "content">): Summary => ({
  ...{ subject, id, author },
  note: note ?? null,
  changedAt: changedAt.toISOString(),
  basedOn,
});

export const contentOfDraft = ({ content }: Pick<Draft, "content">): Content => JSON.parse(content) as Content;

/** A draft in a response. */
export const draftAnswer = (draft: Stored<Draft>): DraftAnswer => ({
  ...summaryOf(draft),
  content: contentOfDraft(draft),
});
