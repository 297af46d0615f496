import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { platformToken, type Served } from "../../harness/served.ts";

/** Calls the demo tenant's management interface, with a token for every store and scope unless another is given. */
export async function manage(
  shelfwire: Served,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${shelfwire.origin}/t/${TENANT_ID}/api/management/v1${path}`, {
    method,
    headers: {
      // With a subject, so that repeated idempotency keys belong to the same caller.
      authorization: `Bearer ${await shelfwire.token({ subject: "manager" })}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/**
 * Makes a call with the operator's token, to a path below the origin: `/api/platform/v1/...` or
 * `/t/{tenantId}/api/management/v1/...`.
 */
export async function operate(
  { origin }: Pick<Served, "origin">,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await platformToken()}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
