import { Type } from "typebox";
import { ItemId } from "../../schemas/item.ts";
import { LawFindings } from "../../schemas/law.ts";
import { pageLimit } from "../../schemas/paging.ts";
import { route } from "../http/route.ts";
import type { ReadLaw } from "./read-law.ts";

export interface LawFindingsWorld {
  readLaw: ReadLaw;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** Legal findings about a store's designs and items, under the law of the store's country (docs/integrators/law.md). */
export const lawFindings = ({ readLaw }: LawFindingsWorld) => [
  route({
    method: "GET",
    path: "/law-findings",
    operationId: "listLawFindings",
    summary: "Check the designs and items of the store against the law of its country",
    description:
      "Each finding names its check, the provision and the date from which it applies. The first page begins with findings about the designs that the store's " +
      "active communication pack names. A page checks up to `limit` items; it may have no findings although more pages follow.",
    scope: "items:read",
    query: Type.Object({
      after: Type.Optional(ItemId),
      limit: Type.Optional(pageLimit(MAX_LIMIT)),
    }),
    answers: { 200: LawFindings },
    handle: async ({ store, query: { after, limit = DEFAULT_LIMIT } }) => ({
      status: 200,
      body: await readLaw.readPage(store, { after, limit }),
    }),
  }),
];
