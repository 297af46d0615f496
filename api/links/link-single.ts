import { setTimeout } from "node:timers/promises";
import { Type } from "typebox";
import { faultOfBarcode } from "../../domain/linking/barcodes/barcode-scheme.ts";
import type { RowPlan } from "../../domain/linking/plan-label-rows.ts";
import type { StampedRow } from "../../queues/requests/stamped-rows.ts";
import type { SchemeOf } from "../../records/linking/barcode-schemes.ts";
import type { JournaledChunk } from "../../records/requests/chunks.ts";
import { labelKey, linkIdOf, linkKey } from "../../schemas/keys.ts";
import type { LabelPatch } from "../../schemas/label.ts";
import { LinkSingle, LinkSingleAnswer } from "../../schemas/link.ts";
import type { Outcome } from "../../schemas/request.ts";
import { stampOf } from "../../schemas/stamp.ts";
import { knownFields } from "../body/without-unknown-fields.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";

export type LinkProgress = "LINKED" | "PENDING" | "FAILED";

type JournaledRequest = Pick<JournaledChunk, "number" | "urgency">;

export interface LinkSingleWorld {
  schemeOf: SchemeOf;
  /** Returns the effect that a row would have on the current state of the store. */
  planRow(store: string, row: StampedRow<LabelPatch>): Promise<RowPlan>;
  /** Journals the row, so that it is applied even if this process ends. */
  journal(store: string, row: LabelPatch): Promise<JournaledRequest>;
  /** Enqueues a journaled row for the link worker. */
  leaveToWorker(store: string, number: number): Promise<void>;
  /** Applies a journaled row now and settles its request; returns the outcome. */
  apply(store: string, request: JournaledRequest, row: LabelPatch): Promise<Outcome>;
  /** Whether every request of the store before this number has been applied; without a number, every request. */
  isSettledBefore(store: string, number?: number): Promise<boolean>;
  /** Returns a link's progress to the glass, given the keys of the link and its label. */
  progressOf(link: string, label: string): Promise<LinkProgress>;
  isUnavailable(error: unknown): boolean;
  clock(): number;
}

const POLL_INTERVAL_MS = 40;
/** Stamp for a row that is only planned: later than every journaled row, so that the plan applies. */
const MAX_STAMP = stampOf(2 ** 31 - 1, 0);
const timeout = Type.Integer({
  minimum: 0,
  maximum: 60_000,
  default: 10_000,
  description: "Maximum time to wait in milliseconds, after which the response is PENDING",
});

/** Links one label without waiting for a worker, then waits for its picture (docs/integrators/labels.md#labels-and-links). */
export const linkSingle = (world: LinkSingleWorld) => [
  route({
    method: "POST",
    path: "/labels/link-single",
    operationId: "linkSingle",
    summary: "Link one label and wait for its picture",
    description:
      "LINKED: the label shows the picture. PENDING: the time ran out. FAILED: no design fits, drawing failed, or the label " +
      "server rejected the picture.",
    scope: "labels:write",
    query: Type.Object({ timeout: Type.Optional(timeout) }),
    body: LinkSingle,
    answers: { 200: LinkSingleAnswer },
    problems: ["not-found", "conflict"],
    handle: async ({ store, body, query }) => {
      const deadline = world.clock() + (query.timeout ?? 10_000);
      const row = labelRowOf(knownFields(LinkSingle, body));
      assertBarcode(await world.schemeOf(store), row.barcode);
      const { planned, mayBeMade } = await planLink(world, store, row);
      if (planned?.status !== "SUCCESS" && !mayBeMade) throw refusal(planned);
      const outcome = await applyRow(world, store, row, mayBeMade ? deadline : undefined);
      if (outcome !== undefined && outcome.status !== "SUCCESS") throw refusal(outcome);
      const link = linkKey(store, linkIdOf(row.barcode, body.displayPosition ?? 0));
      const status = outcome && (await progressBy(world, deadline, link, labelKey(store, row.barcode)));
      const { itemId = "" } = outcome ?? planned ?? {};
      return { status: 200, body: { barcode: row.barcode, itemId, status: status ?? "PENDING" } };
    },
  }),
];

function assertBarcode(schemeOf: Awaited<ReturnType<SchemeOf>>, barcode: string): void {
  if (schemeOf(barcode) !== undefined) return;
  const reason = faultOfBarcode(schemeOf, barcode);
  const errors = [{ pointer: "/barcode", detail: `"${barcode}" is not a valid label barcode: ${reason}` }];
  throw new ProblemError("invalid-request", "The barcode is invalid.", { errors });
}

/**
 * Returns the planned outcome of a row. `mayBeMade` is true if its item is missing but an earlier request of the store
 * may create it.
 */
async function planLink({ planRow, isSettledBefore }: LinkSingleWorld, store: string, row: LabelPatch) {
  const plan = async () => (await planRow(store, { row, stamp: MAX_STAMP })).outcomes[0];
  const planned = await plan();
  if (planned?.status !== "ITEM_NOT_FOUND") return { planned, mayBeMade: false };
  if (!(await isSettledBefore(store))) return { planned, mayBeMade: true };
  // An earlier request may have created the item between the plan and isSettledBefore, so plan again.
  return { planned: await plan(), mayBeMade: false };
}

/**
 * Journals a row and applies it. If there is a deadline, waits until then for the store's earlier requests. Returns
 * undefined if the row is left to the link worker, because the deadline has passed or the database is unreachable.
 */
async function applyRow(
  world: LinkSingleWorld,
  store: string,
  row: LabelPatch,
  deadline: number | undefined,
): Promise<Outcome | undefined> {
  const { journal, leaveToWorker, apply, isSettledBefore, isUnavailable } = world;
  const request = await journal(store, row);
  const { number } = request;
  const isTurn = async () => (await isSettledBefore(store, number)) || undefined;
  if (deadline !== undefined && !(await waitFor(world, deadline, isTurn))) {
    await leaveToWorker(store, number);
    return undefined;
  }
  return apply(store, request, row).catch((error: unknown) => {
    if (isUnavailable(error)) return undefined;
    throw error;
  });
}

/** Returns a link's progress to the glass; undefined if it is still PENDING at the deadline. */
const progressBy = (world: LinkSingleWorld, deadline: number, link: string, label: string) =>
  waitFor(world, deadline, async () => {
    const present = await world.progressOf(link, label);
    return present === "PENDING" ? undefined : present;
  });

/** Polls until `check` returns a value or the deadline has passed. */
async function waitFor<T>(
  { clock }: Pick<LinkSingleWorld, "clock">,
  deadline: number,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  for (;;) {
    const result = await check();
    if (result !== undefined || clock() >= deadline) return result;
    await setTimeout(POLL_INTERVAL_MS);
  }
}

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
