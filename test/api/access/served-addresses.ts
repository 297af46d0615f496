import type { Middleware } from "koa";
import { createApp } from "../../../api/app.ts";
import { openAssets } from "../../../api/pages/assets.ts";
import { describedRoutes } from "../../../scripts/develop/roles/role-table.ts";
import { unchecked } from "../../harness/part-of.ts";

/** An address that the application serves: its path as in the router, and its methods except HEAD. */
interface ServedAddress {
  path: string;
  methods: readonly string[];
}

/** Returns every address that the application serves with all features on, read from its routers without running them. */
export async function servedAddresses(): Promise<ServedAddress[]> {
  const log = { child: () => log, info: () => {}, warn: () => {}, error: () => {} };
  const parts = {
    ...{
      routes: describedRoutes(),
      basePath: "",
      log,
      assets: await openAssets(),
      metricsToken: "a token",
      provider: {},
    },
    ...{ login: { issue: async () => "", trustedProxies: 0 }, rateLimits: {}, identify: async () => ({}), queues: [] },
    ...{ sessions: {}, invitations: {}, notifications: {}, proofKeys: {}, metrics: {}, bodies: {} },
  };
  const app = createApp(unchecked<Parameters<typeof createApp>[0]>(parts));
  return app.middleware
    .flatMap((middleware) => unchecked<Middleware & { router?: { stack: Layer[] } }>(middleware).router?.stack ?? [])
    .map(({ path, methods }) => ({ path, methods: methods.filter((method) => method !== "HEAD") }));
}

interface Layer {
  path: string;
  methods: string[];
}
