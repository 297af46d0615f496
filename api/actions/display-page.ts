import { ActionAnswer } from "../../schemas/action.ts";
import { DisplayPage, INFO_PAGE, MAX_PAGE_SECONDS } from "../../schemas/display-page.ts";
import type { Fault } from "../../schemas/problem.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import { LabelPath, type NoLabel } from "../labels/labels.ts";
import { type ActionFacts, judgeAction } from "./action-rules.ts";
import type { QueueOrders } from "./queue-orders.ts";

export interface DisplayPageWorld {
  noLabel: NoLabel;
  readActionFacts(store: string, barcodes: readonly string[]): Promise<ActionFacts[]>;
  queueOrders: QueueOrders;
  now(): Date;
  offlineAfterMs: number;
}

const DEFAULT_SECONDS = 30;

/**
 * Shows a page on a label for a while, or restores its normal page
 * (docs/integrators/labels.md#flashing-pages-and-other-actions).
 */
export const displayPage = ({ readActionFacts, queueOrders, now, offlineAfterMs, noLabel }: DisplayPageWorld) => [
  route({
    method: "POST",
    path: "/labels/:barcode/display-page",
    operationId: "displayPage",
    summary: "Show a page on a label for a while, or return to its normal page",
    scope: "labels:write",
    params: LabelPath,
    body: DisplayPage,
    isBodyOptional: true,
    answers: { 200: ActionAnswer },
    problems: ["not-found"],
    handle: async ({ store, settings, params: { barcode }, body = {} }) => {
      const [facts] = await readActionFacts(store, [barcode]);
      if (facts?.label === undefined) throw await noLabel(store, barcode);
      const errors = faultsOf(body, facts);
      if (errors.length > 0) throw new ProblemError("invalid-request", "The page cannot be shown.", { errors });
      const isSupported = facts.labelType?.display === "matrix";
      const clock = { now: now(), offlineAfterMs };
      const { result, transceivers } = judgeAction(facts, isSupported, settings.linkDepartments, clock);
      if (result === "OK") {
        const order = {
          store,
          barcode,
          priority: "high" as const,
          transceivers,
          body: bodyFor(body),
        };
        await queueOrders("display-page", [order], { urgency: "interactive", goesAfter: true });
      }
      return { status: 200, body: { result } };
    },
  }),
];

/** Returns the faults that depend on the action and the label's type, which a schema cannot express. */
function faultsOf({ action, duration, page }: DisplayPage, { labelType }: ActionFacts): Fault[] {
  const faults: Fault[] = [];
  const seconds = duration ?? DEFAULT_SECONDS;
  if (action !== "restore-page" && (seconds < 1 || seconds > MAX_PAGE_SECONDS)) {
    faults.push({ pointer: "/duration", detail: `must be 1 to ${MAX_PAGE_SECONDS} seconds, not ${seconds}` });
  }
  const pages = [...Array.from({ length: labelType?.pages ?? 0 }, (_, number) => String(number)), INFO_PAGE];
  if (!pages.includes(page ?? INFO_PAGE)) {
    faults.push({ pointer: "/page", detail: `must be one of ${pages.join(", ")}, not ${JSON.stringify(page)}` });
  }
  return faults;
}

const bodyFor = ({ action, duration, page }: DisplayPage) =>
  action === "restore-page"
    ? { action }
    : { action: "set-temporary" as const, page: page ?? INFO_PAGE, duration: duration ?? DEFAULT_SECONDS };
