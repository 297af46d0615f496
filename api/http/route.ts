import { type Static, type TSchema, Type } from "typebox";
import type { Stored } from "../../schemas/record.ts";
import type { StoreRecord } from "../../schemas/store.ts";
import type { Scope } from "../../schemas/token.ts";
import type { Permit } from "../access/verify-token.ts";
import type { ProblemName } from "./problem-kinds.ts";

/** A call whose token, path, query and body have been checked. */
interface CheckedCall<Params, Body, Query> {
  /** The rights granted by the call's token. */
  permit: Permit;
  /** Whether the caller still has the rights for a long-lived response. */
  isPermitted(): Promise<boolean>;
  /** Path parameters, decoded once. */
  params: Params;
  query: Query;
  body: Body;
  /** The uploaded file; empty if the operation accepts none. */
  upload: Buffer;
  /** Returns a header of the request; an absent one is empty. */
  header(name: string): string;
}

/** The owner that a call's path names: a store, a tenant, or neither for an operation on the platform. */
export interface Owner {
  store?: string;
  settings?: Stored<StoreRecord>;
  tenant?: string;
}

/** A call of a store's public interface. */
export interface Call<Params, Body, Query> extends CheckedCall<Params, Body, Query> {
  /** Key of the store in the path. */
  store: string;
  settings: Stored<StoreRecord>;
}

/** A call of a tenant's management interface. */
export interface TenantCall<Params, Body, Query> extends CheckedCall<Params, Body, Query> {
  /** Key of the tenant in the path. */
  tenant: string;
}

/** The limits on an uploaded file. */
export interface UploadBounds {
  maxBytes: number;
  mediaTypes: readonly string[];
  /** Noun for the file, such as `font`. */
  noun: string;
}

export interface Answer {
  status: number;
  /** Serialised as JSON; with `type` it is a string, a Buffer or a stream and is sent unchanged. */
  body?: unknown;
  type?: string;
  headers?: Readonly<Record<string, string>>;
  /** The value of `after` for the next page of a list; absent on the last page. */
  next?: string | undefined;
  /** Fields of a JSON body that only this response may contain; the copy kept for repetitions of the call lacks them. */
  secretFields?: readonly string[];
}

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;

/** An operation's description, without its handler, used to validate and authorise calls and to document the operation. */
interface Description<
  Params extends TSchema | undefined = TSchema | undefined,
  Body extends TSchema | undefined = TSchema | undefined,
  Query extends TSchema | undefined = TSchema | undefined,
  Optional extends true | undefined = true | undefined,
> {
  method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** The interface that the operation belongs to; a store's if absent. */
  of?: "tenant" | "platform";
  /** Below `{base_url}/api/public/core/v1`, `/t/{tenantId}/api/management/v1` or `/api/platform/v1`. */
  path: string;
  operationId: string;
  summary: string;
  /** Additional information for callers; Markdown. */
  description?: string;
  scope: Scope;
  /** Whether the operator's token also passes, for every tenant. */
  isForPlatform?: boolean;
  /**
   * Whether a token for only some of the tenant's stores also passes, since the operation itself is restricted to them.
   */
  isWithinStores?: true;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The operation itself reports the unknown fields of its body, together with its other findings. */
  namesUnknownFields?: true;
  /** The body may be absent; the handler's body is undefined then. */
  isBodyOptional?: Optional;
  /**
   * What a call other than GET changes: a store's `records` directly, or `nothing`. Absent if it makes the usual changes
   * of the management interface or of a journaled request.
   */
  changes?: "records" | "nothing";
  /** The response carries an ETag; a call with a matching If-None-Match receives 304. */
  isTagged?: true;
  /** Accepts If-Match and If-None-Match, so that a write does not overwrite a state that its caller has not read. */
  isGuarded?: true;
  /** The field of a multipart form that carries a file, in place of a JSON body. */
  upload?: string;
  /** Limits of that file: maximum size, media types and noun; defaults to those of an uploaded image. */
  uploadBounds?: UploadBounds;
  /** Schemas of the successful responses, by status. */
  answers: Readonly<Record<number, TSchema>>;
  /** Additional media types of the response. */
  alsoAs?: readonly string[];
  /** Additional problems, beyond the ones that every operation can return. */
  problems?: readonly ProblemName[];
}

/**
 * An operation as it is mounted. Its handler's types are erased, because the caller of the handler has checked the call
 * against the schemas, and has found the owner that the interface requires.
 */
export interface Route extends Description {
  handle(call: CheckedCall<unknown, unknown, unknown> & Owner): Promise<Answer>;
}

interface StoreRoute<
  Params extends TSchema | undefined,
  Body extends TSchema | undefined,
  Query extends TSchema | undefined,
  Optional extends true | undefined,
> extends Omit<Description<Params, Body, Query, Optional>, "of"> {
  handle(
    call: Call<
      StaticOr<Params, Record<string, never>>,
      StaticOr<Body, undefined> | (Optional extends true ? undefined : never),
      StaticOr<Query, Record<string, never>>
    >,
  ): Promise<Answer>;
}

/** The schema of a response without a body (204). */
export const Nothing = Type.Unsafe<undefined>({});

/** Describes an operation of a store's interface; ties the handler's types to the schemas. */
export const route = <
  Params extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Optional extends true | undefined = undefined,
>(
  description: StoreRoute<Params, Body, Query, Optional>,
): Route => description;

/** The media types of an operation's successful responses. */
export function mediaTypesOf({ answers, alsoAs = [] }: Pick<Route, "answers" | "alsoAs">): string[] {
  const types = Object.values(answers).map((schema) => (schema as { contentMediaType?: string }).contentMediaType);
  if (types.length === 0) return ["application/json"];
  return [...new Set([...types.map((type) => type ?? "application/json"), ...alsoAs])];
}

interface TenantRoute<
  Params extends TSchema | undefined,
  Body extends TSchema | undefined,
  Query extends TSchema | undefined,
  Optional extends true | undefined,
> extends Omit<Description<Params, Body, Query, Optional>, "of"> {
  handle(
    call: TenantCall<
      StaticOr<Params, Record<string, never>>,
      StaticOr<Body, undefined> | (Optional extends true ? undefined : never),
      StaticOr<Query, Record<string, never>>
    >,
  ): Promise<Answer>;
}

/** Describes an operation of a tenant's management interface, as `route` does for a store's interface. */
export const tenantRoute = <
  Params extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Optional extends true | undefined = undefined,
>(
  description: TenantRoute<Params, Body, Query, Optional>,
): Route => ({ ...description, of: "tenant" });
