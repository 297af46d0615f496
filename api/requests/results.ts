import { Type } from "typebox";
import { type ResultOf, resultOf } from "../../queues/requests/operations.ts";
import type { RequestResult } from "../../queues/requests/results.ts";
import { ItemsResult, LabelsResult, type Outcome } from "../../schemas/request.ts";
import type { Scope } from "../../schemas/token.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import { overallOf, rowsShown } from "./overall.ts";

export interface ResultsWorld {
  readResult(store: string, number: number): Promise<RequestResult | undefined>;
}

/** A request's id, as it appears in paths. */
export const RequestIdText = Type.String({
  pattern: "^[1-9]\\d{0,9}$",
  errorMessage: "must be the number of a request from its receipt",
  description: "From the receipt",
  examples: [17],
  shownAs: { type: "integer", minimum: 1, maximum: 2 ** 31 - 1 },
});
const Path = Type.Object({ requestId: RequestIdText });

const onlyErrors = Type.Optional(
  Type.Boolean({ description: "true: only rows that have failed completely or partly, each with its `place`" }),
);
const without = (field: string) =>
  Type.Optional(Type.Boolean({ description: `true: \`${field}\` is empty; the state and the count are unchanged` }));
const ItemsQuery = Type.Object({ excludeItemResults: without("itemResults"), onlyErrors });
const LabelsQuery = Type.Object({ excludeResults: without("results"), onlyErrors });

/** Results of asynchronous writes, row by row (docs/architecture/queues.md#requests-and-chunks). */
export const results = ({ readResult }: ResultsWorld) => {
  const read = async (store: string, requestId: string, kind: Exclude<ResultOf, "none">): Promise<RequestResult> => {
    const result = await readResult(store, Number(requestId));
    if (result !== undefined && resultOf(result.operation) === kind) return result;
    throw new ProblemError("not-found", `The request ${requestId} on ${kind} has no result, or it has expired.`);
  };

  /** The result of labels and links: one response, served under two paths with a scope each. */
  const labelsResult = (path: string, operationId: string, scope: Scope) =>
    route({
      method: "GET",
      path,
      operationId,
      summary: "Get the result of a request on labels or links",
      description: "For a request on many stores, a token sees only the rows of its own stores.",
      scope,
      params: Path,
      query: LabelsQuery,
      answers: { 200: LabelsResult },
      problems: ["not-found"],
      handle: async ({ store, permit: { stores }, params: { requestId }, query }) => {
        const { status, outcomes } = await read(store, requestId, "labels");
        const isVisible = ({ storeId }: Outcome) => storeId === undefined || stores === "*" || stores.has(storeId);
        const rows = outcomes.filter(isVisible);
        const { errorCount, overallStatus } = overallOf(status, rows);
        const results = rowsShown(rows, { isWithout: query.excludeResults, onlyErrors: query.onlyErrors });
        return { status: 200, body: { status, overallStatus, labelErrorCount: errorCount, results } };
      },
    });

  return [
    route({
      method: "GET",
      path: "/items-result/:requestId",
      operationId: "getItemsResult",
      summary: "Get the result of a request on items",
      scope: "items:read",
      params: Path,
      query: ItemsQuery,
      answers: { 200: ItemsResult },
      problems: ["not-found"],
      handle: async ({ store, params: { requestId }, query }) => {
        const { status, outcomes } = await read(store, requestId, "items");
        const shown = rowsShown(outcomes, { isWithout: query.excludeItemResults, onlyErrors: query.onlyErrors });
        const itemResults = shown.map(({ itemId = null, ...outcome }) => ({ itemId, ...outcome }));
        const { errorCount, overallStatus } = overallOf(status, outcomes);
        return { status: 200, body: { status, overallStatus, itemErrorCount: errorCount, itemResults } };
      },
    }),

    labelsResult("/labels-result/:requestId", "getLabelsResult", "labels:read"),
    labelsResult("/links-result/:requestId", "getLinksResult", "links:read"),
  ];
};
