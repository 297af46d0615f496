import type { Static, TSchema } from "typebox";
import type { Stored } from "../records/kind.ts";
import type { Store } from "../schemas/tenant.ts";
import type { Scope } from "../schemas/token.ts";
import type { ProblemName } from "./problem-error.ts";

/** A call that has passed every check: of the token, the path, the query and the body. */
export interface Call<Params, Body, Query> {
  /** Key of the store in the path. */
  store: string;
  settings: Stored<Store>;
  /** Path parameters, decoded once. */
  params: Params;
  query: Query;
  body: Body;
}

export interface Answer {
  status: number;
  body?: unknown;
  type?: string;
  headers?: Readonly<Record<string, string>>;
}

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;

/** One description an operation: it validates, authorises, types the handler and documents. */
export interface Route<
  Params extends TSchema | undefined = TSchema | undefined,
  Body extends TSchema | undefined = TSchema | undefined,
  Query extends TSchema | undefined = TSchema | undefined,
> {
  method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** Below `{base_url}/api/public/core/v1`. */
  path: string;
  operationId: string;
  summary: string;
  /** What a caller should know beyond the summary; Markdown. */
  description?: string;
  scope: Scope;
  params?: Params;
  query?: Query;
  body?: Body;
  /** What may come back, beside the problems that every operation has. */
  answers: Readonly<Record<number, TSchema>>;
  /** Problems of this operation's own. */
  problems?: readonly ProblemName[];
  handle(
    call: Call<
      StaticOr<Params, Record<string, never>>,
      StaticOr<Body, undefined>,
      StaticOr<Query, Record<string, never>>
    >,
  ): Promise<Answer>;
}

/** Ties the handler's types to the schemas. */
export const route = <
  Params extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(
  description: Route<Params, Body, Query>,
): Route => description as unknown as Route;
