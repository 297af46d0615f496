import type { Db, Document } from "mongodb";
import { NOT_VALIDATED } from "./find-at-once.ts";

/** Documents of one collection that an aggregation's stages find. */
interface FindByStages {
  collection: string;
  stages: Document[];
}

/** Documents of one collection by id, whole or with only these fields. */
export interface FindById {
  collection: string;
  ids: readonly string[];
  projection?: Document | undefined;
}

/**
 * Finds documents in several collections with one command and returns them in the order of `finds`. An urgent change spends most
 * of its time waiting for the server (docs/decisions/records/reads-together.md). The response is one document, so the found
 * documents together must stay far below 16 MiB.
 */
export const findTogether = <Found>(db: Db, finds: readonly FindById[]): Promise<Found[][]> =>
  aggregateTogether(
    db,
    finds.map(({ collection, ids, projection }) => ({
      collection,
      stages: [{ $match: { _id: { $in: [...ids] } } }, ...(projection ? [{ $project: projection }] : [])],
    })),
  );

/** Runs several aggregations as one command, and returns what each finds. */
export async function aggregateTogether<Found>(
  db: Db,
  [first, ...others]: readonly FindByStages[],
): Promise<Found[][]> {
  if (first === undefined) return [];
  const { cursor } = await db.command(
    {
      aggregate: first.collection,
      pipeline: [
        ...first.stages,
        // Always returns one document, even if nothing is found; the other results are added to it.
        { $facet: { [nameOf(0)]: [{ $match: {} }] } },
        ...others.map(({ collection, stages }, index) => ({
          $lookup: { from: collection, as: nameOf(index + 1), pipeline: stages },
        })),
      ],
      cursor: {},
      readConcern: { level: "majority" },
    },
    NOT_VALIDATED,
  );
  const [found] = cursor.firstBatch as Record<string, Found[]>[];
  return [first, ...others].map((_, index) => found?.[nameOf(index)] ?? []);
}

const nameOf = (index: number): string => `found${index}`;
