import type { Db } from "mongodb";
import { createCanaries } from "../../../queues/publishing/canary.ts";
import { createPublish, type PublishWorld } from "../../../queues/publishing/publish.ts";
import { publications } from "../../../records/kinds/publishing.ts";
import { listRecords } from "../../../records/list-records.ts";
import { countPicturesSince } from "../../../records/publishing/count-pictures.ts";
import { idOf, publicationKey, storeIds, tenantOf } from "../../../schemas/keys.ts";
import type { Publication, PublicationAnswer } from "../../../schemas/publication.ts";
import type { Stored } from "../../../schemas/record.ts";
import { missing } from "../find-records.ts";

export interface PublicationStoreWorld extends PublishWorld {
  db: Db;
}

export type PublicationStore = ReturnType<typeof createPublicationStore>;

/** Maximum number of pictures that are counted for a publication's progress. */
const MAX_COUNTED = 100_000;

/** Reads publications and executes them. */
export function createPublicationStore(world: PublicationStoreWorld) {
  const { db, records } = world;
  const publish = createPublish(world);
  const canaries = createCanaries(world);

  async function one(tenant: string, id: string): Promise<Stored<Publication>> {
    const key = publicationKey(tenant, id);
    const found = (await records.read(publications, [key])).get(key);
    if (found === undefined) throw missing("publication", id);
    return found;
  }

  return {
    one,

    async all(tenant: string, page: { start: number; limit: number }): Promise<Stored<Publication>[]> {
      const listing = { prefix: publicationKey(tenant, ""), descending: true, ...page };
      return (await Array.fromAsync(listRecords(db, publications, listing))).flat();
    },

    /** Advances a publication as far as possible now, and returns it. */
    async publish(key: string): Promise<Stored<Publication>> {
      await publish(key);
      await canaries.step(key);
      return one(tenantOf(key), idOf(key));
    },

    /**
     * Counts how many of the labels that a publication changes have a new picture since it went live, and how many
     * acknowledged it.
     */
    async progressOf({ _id, counts, createdAt, at }: Stored<Publication>) {
      if (counts === undefined) return null;
      const most = Math.min(counts.labels, MAX_COUNTED);
      const since = at ?? createdAt;
      const counted = most > 0 && (await countPicturesSince(world, tenantOf(_id), since, most));
      return { labels: counts.labels, ...(counted || { drawn: 0, acknowledged: 0 }) };
    },
  };
}

/** A publication in a response. */
export const publicationAnswer = (publication: Stored<Publication>): PublicationAnswer => {
  const { _id, state, author, createdAt, changes, activation, counts, canary } = publication;
  return {
    publicationId: idOf(_id),
    ...{ state, author },
    note: publication.note ?? null,
    createdAt: createdAt.toISOString(),
    at: publication.at?.toISOString() ?? null,
    endedAt: publication.endedAt?.toISOString() ?? null,
    changes: changes.map(({ subject, id, from, to }) => ({ subject, id, from, to: to ?? null })),
    activates: activation?.pack ? idOf(activation.pack) : null,
    counts: counts ?? null,
    canary: canary ? canaryAnswer(canary) : null,
    reason: publication.reason ?? null,
    rollsBack: publication.rollsBack ?? null,
    rolledBackBy: publication.rolledBackBy ?? null,
  };
};

const canaryAnswer = ({ stores, before, stoppedBy }: NonNullable<Publication["canary"]>) => ({
  stores: stores.map((store) => storeIds(store).storeId),
  ...before,
  stoppedBy: stoppedBy ?? null,
});
