import { setTimeout } from "node:timers/promises";
import { Type } from "typebox";
import type { RowPlan } from "../../domain/linking/plan-rows.ts";
import type { StampedRow } from "../../queues/requests/stamped-rows.ts";
import type { SchemeOf } from "../../records/linking/barcode-schemes.ts";
import type { JournaledChunk } from "../../records/requests/chunks.ts";
import { labelKey, linkIdOf, linkKey } from "../../schemas/keys.ts";
import type { LabelPatch } from "../../schemas/label.ts";
import { LinkSingle, LinkSingleAnswer } from "../../schemas/link.ts";
import type { Outcome } from "../../schemas/request.ts";
import { stampOf } from "../../schemas/stamp.ts";
import { knownFields } from "../body/known-fields.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";

export type LinkProgress = "LINKED" | "PENDING" | "FAILED";

type JournaledRequest = Pick<JournaledChunk, "number" | "urgency">;

export interface LinkSingleWorld {
  schemeOf: SchemeOf;
  /** The effect that a row would have on the current state of the store. */
  planRow(store: string, row: StampedRow<LabelPatch>): Promise<RowPlan>;
  /** Journals the row, so that it is applied even if this process ends. */
  journal(store: string, row: LabelPatch): Promise<JournaledRequest>;
  /** Enqueues a journaled row for the link worker. */
  leaveToWorker(store: string, number: number): Promise<void>;
  /** Applies a journaled row now and settles its request; returns the outcome. */
  apply(store: string, request: JournaledRequest, row: LabelPatch): Promise<Outcome>;
  /** Whether every request of the store before this number is applied; without a number, every request. */
  isSettledBefore(store: string, number?: number): Promise<boolean>;
  /** Progress of a link to the glass, by the keys of the link and its label. */
  progressOf(link: string, label: string): Promise<LinkProgress>;
  isUnavailable(error: unknown): boolean;
  clock(): number;
}

const POLL_INTERVAL_MS = 40;
/** Stamp of a row that is only planned: later than every journaled row, so that the plan applies. */
const MAX_STAMP = stampOf(2 ** 31 - 1, 0);
const timeout = Type.Integer({
  minimum: 0,
  maximum: 60_000,
  default: 10_000,
  description: "Maximum time to wait in milliseconds, after which the answer is PENDING",
});

/** Links one label without waiting for a worker, then waits for its picture (docs/integrators/labels.md#labels-and-links). */
export const linkSingle = (world: LinkSingleWorld) => {
  const { schemeOf, planRow, journal, leaveToWorker, apply, isSettledBefore, progressOf, isUnavailable, clock } = world;

  /** Polls until `check` returns a value or the deadline has passed. */
  async function waitFor<T>(deadline: number, check: () => Promise<T | undefined>): Promise<T | undefined> {
    for (;;) {
      const result = await check();
      if (result !== undefined || clock() >= deadline) return result;
      await setTimeout(POLL_INTERVAL_MS);
    }
  }

  return [
    route({
      method: "POST",
      path: "/labels/link-single",
      operationId: "linkSingle",
      summary: "Link one label and wait for its picture",
      description:
        "LINKED: the label shows the picture. PENDING: the time was up first. FAILED: no design fits, drawing failed, or the label " +
        "server rejected the picture.",
      scope: "labels:write",
      query: Type.Object({ timeout: Type.Optional(timeout) }),
      body: LinkSingle,
      answers: { 200: LinkSingleAnswer },
      problems: ["not-found", "conflict"],
      handle: async ({ store, body, query }) => {
        const deadline = clock() + (query.timeout ?? 10_000);
        const row = labelRowOf(knownFields(LinkSingle, body));
        if ((await schemeOf(store))(row.barcode) === undefined) {
          const errors = [{ pointer: "/barcode", detail: `"${row.barcode}" is not a valid label barcode` }];
          throw new ProblemError("invalid-request", "The barcode is invalid.", { errors });
        }
        const answer = (itemId: string, status: LinkProgress) => ({
          status: 200,
          body: { barcode: row.barcode, itemId, status },
        });
        const plan = async () => (await planRow(store, { row, stamp: MAX_STAMP })).outcomes[0];
        let planned = await plan();
        const isMissing = planned?.status === "ITEM_NOT_FOUND";
        const mayBeMade = isMissing && !(await isSettledBefore(store));
        // An earlier request may have made the item between the plan and isSettledBefore, so plan again.
        if (isMissing && !mayBeMade) planned = await plan();
        if (planned?.status !== "SUCCESS" && !mayBeMade) throw refusal(planned);

        const request = await journal(store, row);
        const { number } = request;
        if (mayBeMade && !(await waitFor(deadline, async () => (await isSettledBefore(store, number)) || undefined))) {
          await leaveToWorker(store, number);
          return answer(planned?.itemId ?? "", "PENDING");
        }
        const outcome = await apply(store, request, row).catch((error: unknown) => {
          if (isUnavailable(error)) return undefined;
          throw error;
        });
        // The row is journaled: the link worker applies it once the database is back.
        if (outcome === undefined) return answer(planned?.itemId ?? "", "PENDING");
        if (outcome.status !== "SUCCESS") throw refusal(outcome);
        const link = linkKey(store, linkIdOf(row.barcode, body.displayPosition ?? 0));
        const progress = await waitFor(deadline, async () => {
          const present = await progressOf(link, labelKey(store, row.barcode));
          return present === "PENDING" ? undefined : present;
        });
        return answer(outcome.itemId ?? "", progress ?? "PENDING");
      },
    }),
  ];
};

function labelRowOf({ barcode, itemId, linkedItemId, displayPosition, facings, ...fields }: LinkSingle): LabelPatch {
  return { barcode, ...fields, links: [{ itemId, linkedItemId, displayPosition, facings }] };
}

function refusal(outcome: Outcome | undefined): ProblemError {
  const detail = outcome?.errors.join("; ") ?? "the link is not possible";
  return new ProblemError(
    outcome?.status === "ITEM_NOT_FOUND" ? "not-found" : "conflict",
    `The link was not created: ${detail}.`,
  );
}
