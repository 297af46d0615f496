import { decodeJwt } from "jose";
import { signPlatformToken } from "../../../api/access/sign-token.ts";
import type { System } from "../../../queues/system.ts";
import { readSettings } from "../../../runtime/read-settings.ts";
import { MAX_ROWS } from "../../../schemas/request.ts";
import { PLATFORM } from "../../../schemas/token.ts";
import { command, countOf, Refusal } from "../../operate/admin/command.ts";
import { dataOptions, type Program } from "../../operate/admin/parse-call.ts";
import { readSigner } from "../../operate/admin/read-signer.ts";
import { type Caller, createCaller } from "./caller.ts";
import { millisecondsOf, rateOf, shareOf } from "./plan/read-amounts.ts";
import { removeItems, removeTenants } from "./remove.ts";
import { reportLines } from "./report/report-lines.ts";
import { runLoad, writeReport } from "./run-load.ts";
import { OWN_TYPE } from "./set-up.ts";

const playDay = command({
  name: "",
  arguments: [],
  means: "play a day of calls against an installation, and report how long responses, results and label updates take",
  options: {
    origin: { takes: "URL", means: "address of the API (http://127.0.0.1 with PORT)" },
    token: { takes: "TOKEN", means: "token of the operator or of a tenant; if absent, one is signed with JWT_SECRET" },
    tenants: {
      takes: "NUMBER",
      initial: "1",
      means: "number of tenants over which the stores are spread, with the operator's token",
    },
    stores: { takes: "NUMBER", initial: "3", means: "number of stores" },
    labels: { takes: "NUMBER", initial: "100", means: "labels of each store" },
    "label-type": { takes: "TYPE", means: `with a tenant's token: type of the labels (${OWN_TYPE})` },
    for: { takes: "TIME", initial: "1m", means: "how long the day lasts, such as 90s or 10m" },
    urgent: { takes: "RATE", initial: "1/s", means: "changes of single prices, in all stores together" },
    lists: { takes: "RATE", initial: "2/h", means: "whole lists for each store, with all prices changed" },
    flashes: { takes: "RATE", initial: "6/m", means: "flashes of single labels, in all stores together" },
    results: { takes: "SHARE", initial: "100%", means: "share of the urgent changes whose results are read" },
    seed: { takes: "NUMBER", initial: "1", means: "seed for the day: the same seed plays the same day" },
    wait: { takes: "TIME", initial: "1m", means: "how long to wait for results and pictures after the last call" },
    out: { takes: "FILE", means: "write the report as JSON" },
    page: { takes: "FILE", means: "write the report as an HTML page with plots" },
    prefix: { takes: "PREFIX", initial: "load-", means: "prefix for the ids of its tenants and stores" },
    remove: { means: "remove the load-test tenants, or with a tenant's token the items of its load-test stores" },
  },
  async run({ options, open, progress }) {
    const { origin = `http://127.0.0.1:${readSettings(["PORT"]).PORT}` } = options;
    const tenantId = options.token === undefined ? undefined : tenantOfToken(options.token);
    const { prefix } = options;
    if (options.remove && tenantId) return removed(createCaller(origin, options.token ?? ""), tenantId, prefix);
    if (options.remove) return orderRemoval(await open(), prefix);
    const { "label-type": labelType = String(OWN_TYPE) } = options;
    if (tenantId === undefined && options["label-type"] !== undefined)
      throw new Refusal(`--label-type requires a tenant's token: load-test tenants have the type ${OWN_TYPE}.`);
    if (!/^\d{4}$/.test(labelType)) throw new Refusal(`--label-type must have four digits, not "${labelType}".`);
    const labels = countOf("--labels", options.labels);
    if (labels > MAX_ROWS)
      throw new Refusal(`--labels must be at most ${MAX_ROWS}, the maximum number of rows in a request, not ${labels}`);
    const day = {
      seed: countOf("--seed", options.seed),
      stores: countOf("--stores", options.stores),
      labels,
      durationMs: millisecondsOf("--for", options.for),
      urgentPerMs: rateOf("--urgent", options.urgent),
      listsPerMs: rateOf("--lists", options.lists),
      flashesPerMs: rateOf("--flashes", options.flashes),
      followedShare: shareOf("--results", options.results),
    };
    const order = {
      ...{ origin, day, tenantId, prefix, progress, labelType },
      tenants: countOf("--tenants", options.tenants),
      patienceMs: millisecondsOf("--wait", options.wait),
      metricsToken: readSettings([], ["METRICS_TOKEN"]).METRICS_TOKEN,
      caller: createCaller(origin, options.token ?? (await signOwn())),
    };
    const { report, latencies } = await runLoad(order);
    await writeReport(report, latencies, options);
    const hasFailed = Object.values(report.kinds).some(
      ({ incomplete, missingOnGlass }) => incomplete + missingOnGlass > 0,
    );
    return { lines: reportLines(report), data: { report }, hasFailed };
  },
});

/** `npm run load`. */
export const load: Program = { call: "npm run load --", commands: [playDay], common: dataOptions };

const signOwn = (): Promise<string> => signPlatformToken({ ...readSigner(), lifetime: "1d", scope: PLATFORM });

/** Returns the tenant of a token. Undefined for the operator's token. */
function tenantOfToken(token: string): string | undefined {
  const { tenant, scope } = claimsOf(token);
  if (scope === PLATFORM) return undefined;
  if (typeof tenant !== "string") throw new Refusal("--token must be a token of the operator or of a tenant.");
  return tenant;
}

function claimsOf(token: string) {
  try {
    return decodeJwt(token);
  } catch {
    throw new Refusal("--token must be an access token (JWT), such as npm run token prints.");
  }
}

async function removed(caller: Caller, tenantId: string, prefix: string) {
  const { stores, items } = await removeItems(caller, tenantId, prefix);
  const lines = [
    `${items} items of ${stores.length} load-test stores of the tenant "${tenantId}" are deleted.`,
    "The stores and their labels stay, because the interface cannot delete labels.",
  ];
  return { lines, data: { stores, items } };
}

async function orderRemoval(system: System, prefix: string) {
  const ids = await removeTenants(system, prefix);
  const which =
    ids.length === 0 ? "There are no load-test tenants." : `Clean-up deletes all data of ${ids.join(", ")}.`;
  return { lines: [which], data: { tenants: ids } };
}
