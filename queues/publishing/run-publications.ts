import type { Live } from "../../domain/publishing/live.ts";
import { namedBy } from "../../domain/publishing/subjects.ts";
import type { RecordKind } from "../../records/kind.ts";
import { canvasDesigns, communicationPacks, designs } from "../../records/kinds/designs.ts";
import { publicationContents, publications } from "../../records/kinds/publishing.ts";
import { dueKeys } from "../../records/mongodb/due-keys.ts";
import { idOf, publicationContentKey, tenantOf } from "../../schemas/keys.ts";
import type { Publication } from "../../schemas/publication.ts";
import type { Stored } from "../../schemas/record.ts";
import { CONTINUED_AFTER_MS } from "./begin-publication.ts";
import { createCanaries } from "./canary.ts";
import { dropContents } from "./drop-contents.ts";
import { createPublish, type PublishWorld, withoutDue } from "./publish.ts";
import { type Thing, thingOf } from "./things.ts";

/**
 * Returns a function that starts due publications, watches canaries, and continues what a killed process started. Call it
 * repeatedly, from any number of processes.
 */
export function createRunPublications(world: PublishWorld): () => Promise<void> {
  const { db, records, commit, databaseNow } = world;
  const publish = createPublish(world);
  const canaries = createCanaries(world);
  const change = (key: string, decide: (current: Stored<Publication>) => Publication | undefined) =>
    commit.change(publications, [key], (_, current) => current && decide(current), "interactive");

  /** Starts a scheduled publication, or rejects it if the records that it was checked against have changed. */
  async function begin(publication: Stored<Publication>): Promise<void> {
    const reason = await whyRefused(world, publication);
    await change(publication._id, (current) => {
      if (current.state !== "SCHEDULED") return undefined;
      if (reason !== undefined)
        return { ...withoutDue(current), state: "REFUSED" as const, reason, endedAt: databaseNow() };
      return {
        ...current,
        state: "PUBLISHING" as const,
        due: new Date(databaseNow().getTime() + CONTINUED_AFTER_MS),
      };
    });
    if (reason !== undefined) await dropContents(world, publication);
  }

  return async () => {
    for (const key of await dueKeys(db, publications, databaseNow())) {
      const publication = (await records.read(publications, [key])).get(key);
      if (publication?.state === "SCHEDULED") await begin(publication);
      await publish(key);
      await canaries.step(key);
    }
  };
}

/** Returns the reason why a scheduled publication must not take effect now; undefined if it may. */
export async function whyRefused(
  { records, versions }: Pick<PublishWorld, "records" | "versions">,
  { _id, changes, activation, isForced }: Stored<Publication>,
): Promise<string | undefined> {
  const tenant = tenantOf(_id);
  const made = new Map<string, Live>();
  for (const { subject, id, from } of changes) {
    const thing = thingOf(tenant, subject, id);
    const live = await versions.live(thing, (await records.read(thing.kind, [thing.key])).get(thing.key));
    if (!isForced && (live?.number ?? 0) !== from) return changedText(thing, from, live?.number ?? 0);
    const contentKey = publicationContentKey(_id, thing.key);
    const content = (await records.read(publicationContents, [contentKey])).get(contentKey);
    if (content?.body !== undefined) made.set(thing.key, JSON.parse(content.body) as Live);
  }
  const named = changes.flatMap(({ subject, id }) => {
    const body = made.get(thingOf(tenant, subject, id).key);
    return body ? namedBy(subject, body) : [];
  });
  const needed = [...named, activation?.pack ?? []].flat().filter((key) => !made.has(key));
  const kinds: RecordKind<Live>[] = [canvasDesigns, designs, communicationPacks];
  const found = await Promise.all(kinds.map((kind) => records.read(kind, needed)));
  const alive = new Set(
    found.flatMap((all) => [...all.values()]).flatMap((record) => (isEnded(record) ? [] : [record._id])),
  );
  const lacking = needed.find((key) => !alive.has(key));
  return lacking === undefined ? undefined : `It names "${idOf(lacking)}", which no longer exists.`;
}

const isEnded = ({ deleted }: Live): boolean => deleted === true;

/** Returns the message about a thing that somebody has changed in the meantime. */
export const changedText = ({ noun, id }: Thing, from: number, live: number): string =>
  `The ${noun} "${id}" has changed: its version is ${live}, no longer ${from}.`;
