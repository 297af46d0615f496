import { Type } from "typebox";
import type { RequestResult } from "../queues/results.ts";
import { ItemsResult, LabelsResult } from "../schemas/request.ts";
import { ProblemError } from "./problem-error.ts";
import { route } from "./route.ts";

export interface Dependencies {
  readResult(store: string, number: number): Promise<RequestResult | undefined>;
}

const itemOperations = new Set(["patch-items", "delete-items"]);
const Path = Type.Object({ requestId: Type.String({ pattern: "^[1-9]\\d{0,9}$", description: "From the receipt" }) });

/** What became of asynchronous writes (design, section 5). */
export const results = ({ readResult }: Dependencies) => {
  const read = async (store: string, requestId: string, ofItems: boolean): Promise<RequestResult> => {
    const result = await readResult(store, Number(requestId));
    if (result !== undefined && itemOperations.has(result.operation) === ofItems) return result;
    const kind = ofItems ? "items" : "labels";
    throw new ProblemError("not-found", `There is no result of a request ${requestId} on ${kind}, or it has expired.`);
  };

  return [
    route({
      method: "GET",
      path: "/items-result/:requestId",
      operationId: "getItemsResult",
      summary: "What became of a request on items",
      scope: "items:read",
      params: Path,
      answers: { 200: ItemsResult },
      problems: [404],
      handle: async ({ store, params: { requestId } }) => {
        const { status, outcomes } = await read(store, requestId, true);
        return { status: 200, body: { status, itemResults: outcomes } };
      },
    }),

    route({
      method: "GET",
      path: "/labels-result/:requestId",
      operationId: "getLabelsResult",
      summary: "What became of a request on labels or links",
      scope: "labels:read",
      params: Path,
      answers: { 200: LabelsResult },
      problems: [404],
      handle: async ({ store, params: { requestId } }) => {
        const { status, outcomes } = await read(store, requestId, false);
        return { status: 200, body: { status, results: outcomes } };
      },
    }),
  ];
};
