import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { compileCheck } from "../../schemas/validate.ts";
import { assertPermitted } from "../access/authorize.ts";
import type { Permit } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { Answer, Route } from "../http/route.ts";
import { findOwner, type OwnerWorld } from "../mount.ts";

/** A page's read call to the interface. */
export interface Reading {
  storeId?: string;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
}

/**
 * Calls an operation by its id, and returns the body of its response. Throws the problem that a call over HTTP would
 * return.
 */
export type Read = <T>(operationId: string, reading?: Reading) => Promise<T>;

/**
 * Opens the interface's read operations for pages, without HTTP. They are authorised with a session's rights and checked like
 * any call, so that a page shows nothing that a token with the same rights could not read.
 */
export function openInterface(routes: readonly Route[], world: OwnerWorld): (permit: Permit) => Read {
  const operations = new Map(
    routes
      .filter(({ method }) => method === "GET")
      .map((route) => [
        route.operationId,
        {
          route,
          checkParams: route.params && compileCheck(route.params),
          checkQuery: route.query && compileCheck(route.query),
        },
      ]),
  );
  return (permit) =>
    async <T>(operationId: string, { storeId, params = {}, query = {} }: Reading = {}) => {
      const { route, checkParams, checkQuery } = operations.get(operationId) ?? {};
      if (route === undefined) throw new Error(`there is no read operation "${operationId}"`);
      const path = { tenantId: permit.tenant, ...params, ...(storeId !== undefined && { storeId }) };
      assertPermitted(permit, route, path);
      const { params: rest, ...target } = await findOwner(route, path, world);
      const [fault] = [...(checkParams?.(rest) ?? []), ...(checkQuery?.(query) ?? [])];
      if (fault) throw new ProblemError("invalid-request", `${fault.pointer} ${fault.detail}`);
      const answer = await route.handle({
        ...target,
        permit,
        isPermitted: async () => true,
        params: rest,
        query,
        body: undefined,
        upload: Buffer.alloc(0),
        header: () => "",
      });
      return (await bodyOf(answer)) as T;
    };
}

/** Returns the body of a response: a value if it is JSON, otherwise its bytes. */
async function bodyOf({ body, type }: Answer): Promise<unknown> {
  if (type === undefined) return body;
  const bytes = typeof body === "string" || Buffer.isBuffer(body) ? Buffer.from(body) : await buffer(body as Readable);
  return type === "application/json" ? JSON.parse(bytes.toString()) : bytes;
}
