import { signPlatformToken, signToken, type TokenOrder } from "../../api/access/sign-token.ts";
import type { ProcessName } from "../../queues/topology.ts";
import { type Client, createClient } from "../../scripts/client.ts";
import { STORE_ID, TENANT_ID } from "../../scripts/demo/catalogue.ts";
import { assertDocumented } from "./documented-answers.ts";

export const JWT_SECRET = "a secret for tests that has its 32 characters";
export const LABEL_SERVER_SECRET = "a secret for label servers";

/** A running Shelfwire with the demo tenant, as its callers see it. */
export interface Served {
  origin: string;
  /** Base address of the store's public interface. */
  base: string;
  client: Client;
  token(order?: Partial<TokenOrder>): Promise<string>;
  /**
   * Calls the store's public interface, with a token that has all permissions unless another is given. Throws if the response has
   * a status or a problem that the OpenAPI document does not list for the operation.
   */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** The parts of a Shelfwire to open. */
export interface Order {
  /** The workers to run; all of them if absent. */
  workers?: readonly ProcessName[];
  settings?: Record<string, string>;
  /**
   * Whether each worker has its own connections and metrics, as a process has them; otherwise the workers of a stack may share
   * them.
   */
  areSeparate?: true;
  /**
   * Why records may be stale after the file's last test, if the file breaks something on purpose. If absent, an audit follows.
   */
  leavesStale?: string;
}

const signer = { secret: JWT_SECRET, issuer: "shelfwire", audience: "shelfwire", lifetime: "1h" };

/** Returns a token of the operator, who is above all tenants. */
export const platformToken = () => signPlatformToken({ ...signer, scope: "platform" });

const token = (order: Partial<TokenOrder> = {}) =>
  signToken({
    ...signer,
    tenant: TENANT_ID,
    stores: "*",
    scope: "*",
    ...order,
  });

/** Returns the cookie of a session with a token's permissions, as the login form sets it. */
export async function sessionOf(origin: string, token: string): Promise<string> {
  const answer = await fetch(`${origin}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin },
    body: new URLSearchParams({ token }),
  });
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}

/** Returns the calls of a store of the demo tenant, on a Shelfwire that runs in this thread or another. */
export async function callersOf(origin: string, storeId = STORE_ID): Promise<Served> {
  const all = await token();
  const base = `${origin}/t/${TENANT_ID}/s/${storeId}/api/public/core/v1`;
  return {
    origin,
    base,
    client: createClient({ origin, tenantId: TENANT_ID, storeId, token: all }),
    token,
    call: async (method, path, body, headers = {}) => {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${all}`, "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      await assertDocumented(method, path, answer);
      return answer;
    },
  };
}
