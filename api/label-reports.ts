import Router from "@koa/router";
import type { Middleware } from "koa";
import { within } from "../records/mongodb/unavailable.ts";
import type { ReportInbox } from "../records/outbox/report-inbox.ts";
import { createBatcher } from "../runtime/batch/batcher.ts";
import { labelKey } from "../schemas/keys.ts";
import { type LabelReport, LabelReports } from "../schemas/label-report.ts";
import { compileCheck } from "../schemas/validate.ts";
import { CHALLENGE } from "./access/identify.ts";
import type { FindReporter } from "./access/label-server-secrets.ts";
import type { BodyBudget } from "./body/body-budget.ts";
import { bodyLimits } from "./body/body-limits.ts";
import { ProblemError } from "./http/problem-error.ts";
import { bucketOf } from "./http/token-bucket.ts";
import { readJson } from "./middleware/read-json.ts";

export const REPORTS_PATH = "/label-server/v1/reports";
const MAX_STORED_BYTES = 4 * 2 ** 20;
const STORE_TIMEOUT_MS = 2_000;

interface LabelReportsWorld {
  findReporter: FindReporter;
  /** Called with the keys of labels that are not on the label server that reported on them. */
  onForeign(labels: readonly string[]): void;
  /** Stores reports for the transmitter; false if too many are waiting. */
  storeReports(reports: readonly LabelReport[]): Promise<boolean>;
  /** How long a label server waits for the database before it receives 503. */
  reportsTimeoutMs?: number | undefined;
  /** The budget of bodies in progress. */
  bodies: BodyBudget;
}

/**
 * `POST /label-server/v1/reports`: label servers report acknowledged and failed transmissions, and retry after a 503.
 * Reports that received 204 are in MongoDB (docs/operations/label-servers.md).
 */
export function labelReports(world: LabelReportsWorld): Router {
  const { findReporter, onForeign, storeReports, bodies, reportsTimeoutMs = STORE_TIMEOUT_MS } = world;
  const check = compileCheck(LabelReports);

  const findSender: Middleware = async (context, next) => {
    const [, secret = ""] = /^Bearer (.+)$/.exec(context.get("authorization")) ?? [];
    context.state.findForeign = await within(reportsTimeoutMs, findReporter(secret));
    if (context.state.findForeign === undefined) {
      throw new ProblemError("unauthenticated", "The label server's secret is wrong.", {
        headers: { "www-authenticate": CHALLENGE },
      });
    }
    context.state.isKnown = true;
    // Each label server has its own share in the budget.
    context.state.reporter = bucketOf("label server", secret);
    await next();
  };
  const accept: Middleware = async (context) => {
    const errors = check(context.request.body);
    if (errors.length > 0) throw new ProblemError("invalid-request", "The reports are invalid.", { errors });
    const { reports } = context.request.body as LabelReports;
    const foreign: LabelReport[] = await within(reportsTimeoutMs, context.state.findForeign(reports));
    const refused = new Set(foreign);
    const own = foreign.length === 0 ? reports : reports.filter((one) => !refused.has(one));
    const [first] = foreign;
    if (own.length === 0 && first) {
      const detail = `The label "${first.barcode}" of the store "${first.store}" uses another label server.`;
      throw new ProblemError("forbidden", detail);
    }
    // A store or a label may have moved to another label server, and reports from the previous one must not block others.
    if (foreign.length > 0) onForeign([...new Set(foreign.map(({ store, barcode }) => labelKey(store, barcode)))]);
    if (!(await storeReports(own))) {
      throw new ProblemError("unavailable", "Too many reports are waiting to be applied. Send them again.", {
        headers: { "retry-after": "2" },
      });
    }
    context.status = 204;
  };

  const router = new Router({ strict: true, sensitive: true });
  router.post(
    REPORTS_PATH,
    findSender,
    ...readJson(bodyLimits.reports.maxBytes, bodies, ({ state }) => state.reporter),
    accept,
  );
  return router;
}

/**
 * Stores reports in MongoDB, then prompts a transmitter to apply them. Concurrent calls share a write. Throws
 * UnavailableError if MongoDB does not confirm it in time. Reports that were stored despite the error are applied, and
 * repeating them does no harm.
 */
export function createStoreReports(
  inbox: Pick<ReportInbox, "add">,
  prompt: () => void,
  timeoutMs = STORE_TIMEOUT_MS,
): LabelReportsWorld["storeReports"] {
  const store = createBatcher<readonly LabelReport[], boolean>({
    weigh: (reports) => Buffer.byteLength(JSON.stringify(reports)),
    maxWeight: MAX_STORED_BYTES,
    async run(calls) {
      const isStored = await inbox.add(calls.flat());
      if (isStored) prompt();
      return calls.map(() => isStored);
    },
  });
  return (reports) => within(timeoutMs, store(reports));
}
