import { isDeepStrictEqual } from "node:util";
import type { QueryShape } from "./query-shape.ts";

interface Excepted {
  reason: string;
  shapes: readonly Partial<QueryShape>[];
}

/** Queries that no index serves alone, and why that is right. A shape is excepted where it has all that is named here. */
const EXCEPTED: readonly Excepted[] = [
  {
    reason: "the first document of the next owner: the server seeks in the index from owner to owner",
    shapes: [
      { collection: "schedule", where: { due: "range", store: "range" }, sort: { store: 1, due: 1 } },
      { collection: "delivery", where: { due: "range", subscription: "range" }, sort: { subscription: 1, due: 1 } },
      { collection: "image", where: { store: "range", usedAt: "range" }, sort: { store: 1, usedAt: 1 } },
    ],
  },
];

/** Why a query needs no index of its own; undefined where it does. */
export const reasonWithout = (shape: QueryShape): string | undefined =>
  EXCEPTED.find(({ shapes }) => shapes.some((excepted) => isPartOf(excepted, shape)))?.reason;

const isPartOf = (excepted: Partial<QueryShape>, shape: QueryShape): boolean =>
  Object.entries(excepted).every(([name, value]) => isDeepStrictEqual(value, shape[name as keyof QueryShape]));
