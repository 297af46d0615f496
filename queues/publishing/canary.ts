import type { Db } from "mongodb";
import { type FaultCount, whyStopped } from "../../domain/publishing/canary.ts";
import type { Live } from "../../domain/publishing/live.ts";
import { publicationContents, publications } from "../../records/kinds/publishing.ts";
import { stores, tenants } from "../../records/kinds/tenants.ts";
import { countPictures } from "../../records/publishing/count-pictures.ts";
import { publicationContentKey, tenantOf } from "../../schemas/keys.ts";
import type { Publication } from "../../schemas/publication.ts";
import { DEFAULT_PUBLISH_LIMITS } from "../../schemas/publish-limits.ts";
import type { Stored } from "../../schemas/record.ts";
import { dropContents } from "./drop-contents.ts";
import type { PublishWorld } from "./publish.ts";
import { kindOfKey } from "./things.ts";

/** Interval between counts of a canary's faults. */
const CHECK_INTERVAL_MS = 15_000;
/** How long copies stay after their canary, whose labels are drawn from the copies until the labels are evaluated again. */
const COPIES_KEPT_MS = 3_600_000;

/** Counts the labels of stores, and the labels whose picture has a fault. */
export async function countFaults(db: Db, storeKeys: readonly string[]): Promise<FaultCount> {
  const sum: FaultCount = { labels: 0, faulty: 0 };
  for (const store of storeKeys) {
    sum.labels += await countPictures(db, store);
    sum.faulty += await countPictures(db, store, { fault: { $exists: true } });
  }
  return sum;
}

/** Starts, watches and ends canaries. Every step may be repeated, even by several processes at the same time. */
export function createCanaries({ db, records, commit, databaseNow }: PublishWorld) {
  const change = (key: string, decide: (current: Stored<Publication>) => Publication | undefined) =>
    commit.change(publications, [key], (_, current) => current && decide(current), "interactive");
  const later = (ms: number) => new Date(databaseNow().getTime() + ms);

  /** Stores the copies, and then makes the stores use them. */
  async function begin({ _id, canary }: Stored<Publication>): Promise<void> {
    if (canary === undefined) return;
    for (const key of canary.copies) {
      const contentKey = publicationContentKey(_id, key);
      const { body } = (await records.read(publicationContents, [contentKey])).get(contentKey) ?? {};
      if (body === undefined) continue;
      const copy = JSON.parse(body) as Live;
      await commit.change(kindOfKey(key), [key], (_, present) => (present ? undefined : copy), "interactive");
    }
    await commit.change(
      stores,
      canary.stores,
      (_, current) =>
        current && current.communicationPack === undefined ? { ...current, communicationPack: canary.pack } : undefined,
      "interactive",
    );
    await change(_id, (current) =>
      current.state === "CANARY" && current.canary
        ? { ...current, canary: { ...current.canary, isBegun: true as const }, due: later(CHECK_INTERVAL_MS) }
        : undefined,
    );
  }

  /** Stops a canary if faults have risen. */
  async function watch({ _id, canary }: Stored<Publication>): Promise<void> {
    if (canary === undefined) return;
    const tenant = tenantOf(_id);
    const { canaryFaults = DEFAULT_PUBLISH_LIMITS.canaryFaults ?? 0 } =
      (await records.read(tenants, [tenant])).get(tenant)?.publishLimits ?? DEFAULT_PUBLISH_LIMITS;
    const present = await countFaults(db, canary.stores);
    const reason = whyStopped(canary.before, present, canaryFaults);
    await change(_id, (current) => {
      if (current.state !== "CANARY" || current.canary === undefined) return undefined;
      if (reason === undefined) return { ...current, due: later(CHECK_INTERVAL_MS) };
      const now = databaseNow();
      const stopped = { ...current.canary, stoppedBy: { ...present, limit: canaryFaults } };
      return { ...current, canary: stopped, state: "STOPPED" as const, reason, endedAt: now, due: now };
    });
  }

  /** Makes the stores of an ended canary use the tenant's active pack again; removes the copies once no label shows them. */
  async function end(publication: Stored<Publication>): Promise<void> {
    const { _id, canary, endedAt } = publication;
    if (canary === undefined) return;
    await commit.change(
      stores,
      canary.stores,
      (_, current) => {
        if (current?.communicationPack !== canary.pack) return undefined;
        const { communicationPack: __, ...others } = current;
        return others;
      },
      "interactive",
    );
    const isOver = (endedAt?.getTime() ?? 0) + COPIES_KEPT_MS <= databaseNow().getTime();
    if (isOver) await dropCopies(canary.copies);
    await dropContents({ records }, publication);
    await change(_id, (current) => {
      const { due: _, ...others } = current;
      return isOver ? others : { ...others, due: later(COPIES_KEPT_MS) };
    });
  }

  async function dropCopies(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const kind = kindOfKey(key);
      const revs = await records.readRevs(kind, [key]);
      await records.remove(
        kind,
        [...revs].map(([, rev]) => ({ key, rev })),
      );
    }
  }

  return {
    /** Performs the next step of a publication's canary. */
    async step(key: string): Promise<void> {
      const publication = (await records.read(publications, [key])).get(key);
      if (publication?.canary === undefined) return;
      const { state, canary } = publication;
      if (state === "CANARY") await (canary.isBegun ? watch(publication) : begin(publication));
      const present = (await records.read(publications, [key])).get(key);
      if (present && ["DONE", "STOPPED", "ROLLED_BACK"].includes(present.state)) await end(present);
    },
  };
}
