import { signPlatformToken, signToken } from "../../api/access/sign-token.ts";
import { type Client, createClient } from "../client.ts";
import { freePort } from "../start/ports.ts";
import { obtainSecrets } from "../start/secrets.ts";
import { type Stack, type StackOptions, startStack } from "../start/stack.ts";
import { STORE_ID, TENANT_ID } from "./catalogue.ts";
import { seedTenant } from "./seed.ts";

/** When all processes restart at once on a busy machine, the API needs minutes to come back. */
export const PATIENT_ATTEMPTS = 300;

/** A running Shelfwire with an empty demo store, and a token with all permissions in it. */
export interface DemoStack {
  stack: Stack;
  client: Client;
  token: string;
  /** Returns a token with all permissions in a tenant. */
  tokenOf(tenantId: string): Promise<string>;
  /** The operator's token, for resources above tenants. */
  platformToken: string;
  /** Base address of the store's public interface. */
  base: string;
}

type Options = Pick<StackOptions, "dataFolder" | "database" | "isKept" | "workerProcesses" | "log"> &
  Partial<Pick<StackOptions, "mongoUrl" | "environment" | "environmentOf" | "isSingle">>;

/** Starts a stack on free ports, creates the demo tenant, does the work, and stops the stack. */
export async function withDemoStack<T>(options: Options, work: (demo: DemoStack) => Promise<T>): Promise<T> {
  const { dataFolder, database } = options;
  const secrets = obtainSecrets(dataFolder);
  const stack = await startStack({ ...options, port: await freePort(), emulatorPort: await freePort(), secrets });
  try {
    const urls = { REDIS_URL: stack.redis.url, MONGODB_URL: stack.mongo.url, MONGODB_DATABASE: database };
    await seedTenant({ ...urls, RESULT_TTL: 86_400, SWEEP_EVERY: 30, LOG_LEVEL: "error" });
    const order = { secret: secrets.jwt, issuer: "shelfwire", audience: "shelfwire", lifetime: "1d" };
    const tokenOf = (tenant: string) => signToken({ ...order, tenant, stores: "*", scope: "*" });
    const token = await tokenOf(TENANT_ID);
    const { origin } = stack;
    return await work({
      stack,
      token,
      tokenOf,
      platformToken: await signPlatformToken({ ...order, scope: "platform" }),
      client: createClient({ origin, tenantId: TENANT_ID, storeId: STORE_ID, token, maxAttempts: PATIENT_ATTEMPTS }),
      base: `${origin}/t/${TENANT_ID}/s/${STORE_ID}/api/public/core/v1`,
    });
  } finally {
    await stack.stop();
  }
}
