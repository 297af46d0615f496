import type { ActivityContent, ActivityRow, ActivityStatus } from "../../schemas/activity.ts";
import type { Cause } from "../../schemas/cause.ts";
import type { HoldState } from "../../schemas/held-request.ts";
import { itemOfStoreLink, partsOfLinkId } from "../../schemas/keys.ts";
import type { KeptOutcome, Outcome, RowStatus } from "../../schemas/request.ts";

/** A part of a request, with its rows and their outcomes. */
export interface AppliedRequest {
  operation: string;
  number: number;
  index: number;
  chunks: number;
  drawnAt: Date;
  cause?: Cause | undefined;
  /** Set if the request is or was held: WAITING for the entry about the hold, otherwise the decision. */
  held?: HoldState | undefined;
  appliedAt?: Date | undefined;
  rows: readonly unknown[];
  outcomes: readonly KeptOutcome[];
}

/** The fields that name a record in rows of any operation. */
interface Row {
  itemId?: string;
  barcode?: string;
  sic?: string;
  price?: string | null;
  validFrom?: string | null;
  campaign?: string;
  ends?: true;
  linkId?: string;
  links?: readonly { itemId?: string; linkedItemId?: string; barcode?: string }[] | null;
  itemIds?: readonly string[];
}

/** Maximum number of items, and of labels, under which an entry can be found. */
const MAX_SUBJECTS = 10_000;

const NAMES: ReadonlySet<string> = new Set([
  "itemId",
  "barcode",
  "sic",
  "linkId",
  "validFrom",
  "campaign",
  "ends",
  "links",
  "itemIds",
  "lastUpdated",
]);
const DONE: ReadonlySet<RowStatus> = new Set(["SUCCESS", "SUCCESS_NEW_ITEM"]);

/** Returns what the activity log keeps about an applied part of a request. */
export function describeRequest({ rows, outcomes, held, ...request }: AppliedRequest): ActivityContent {
  const isWaiting = held === "WAITING";
  const decision = isWaiting ? undefined : held;
  const own = (isWaiting ? [] : outcomes).filter((outcome): outcome is Outcome => !("number" in outcome));
  const described =
    request.operation === "apply-scheduled" ? own.map(rowOfOutcome) : rows.flatMap(describeRow).slice(0, MAX_SUBJECTS);
  const marked = markFailed(described, own);
  const links = rows.flatMap((row) => (isRow(row) ? (row.links ?? []) : []));
  const { actor, call } = request.cause ?? {};
  return {
    at: ((decision && request.appliedAt) ?? request.drawnAt).toISOString(),
    ...(actor && { actor }),
    operation: request.operation,
    request: request.number,
    part: request.index,
    parts: request.chunks,
    ...(call !== undefined && { call }),
    status: isWaiting ? "HELD" : statusOf(own),
    ...(decision && { decision }),
    items: subjects([
      ...marked.map(({ itemId }) => itemId),
      ...links.map(({ itemId, linkedItemId }) => linkedItemId || itemId),
      ...own.map(({ itemId }) => itemId),
    ]),
    labels: subjects([
      ...marked.map(({ barcode }) => barcode),
      ...links.map(({ barcode }) => barcode),
      ...own.map(({ barcode }) => barcode),
    ]),
    rows: JSON.stringify(marked),
  };
}

const isRow = (row: unknown): row is Row => typeof row === "object" && row !== null;

/** A row that is a string is a label's barcode. */
function describeRow(row: unknown): ActivityRow[] {
  if (typeof row === "string") return [{ barcode: row }];
  if (!isRow(row)) return [{}];
  const link = row.linkId === undefined ? undefined : partsOfLinkId(row.linkId);
  const itemId = row.itemId ?? (row.linkId === undefined ? undefined : itemOfStoreLink(row.linkId));
  const barcode = row.barcode ?? link?.barcode;
  const fields = Object.keys(row).filter((name) => !NAMES.has(name));
  if (row.itemIds) return row.itemIds.map((itemId) => ({ itemId, fields }));
  const described = {
    ...(typeof itemId === "string" && { itemId }),
    ...(typeof barcode === "string" && { barcode }),
    ...(typeof row.sic === "string" && { sic: row.sic }),
    ...(typeof row.price === "string" && row.price !== "" && { price: row.price }),
    ...(typeof row.validFrom === "string" && row.validFrom !== "" && { validFrom: row.validFrom }),
    ...(row.campaign !== undefined && { campaign: row.campaign }),
    ...(row.ends && { ends: row.ends }),
    ...(fields.length > 0 && { fields }),
    ...(row.links?.length && { links: row.links.map(({ itemId, linkedItemId }) => linkedItemId || itemId || "") }),
  };
  return [described];
}

const rowOfOutcome = ({ itemId }: Outcome): ActivityRow => (itemId === undefined ? {} : { itemId });

/** Marks the rows whose item, label or code has an outcome with errors. */
function markFailed(rows: readonly ActivityRow[], outcomes: readonly Outcome[]): ActivityRow[] {
  const failed = new Map<string, "ERROR" | "PARTIAL">();
  for (const { itemId, barcode, sic, status } of outcomes) {
    if (DONE.has(status)) continue;
    const mark = status === "PARTIAL" ? "PARTIAL" : "ERROR";
    for (const name of [itemId && `item ${itemId}`, barcode && `label ${barcode}`, sic && `code ${sic}`])
      if (name) failed.set(name, failed.get(name) === "ERROR" ? "ERROR" : mark);
  }
  if (failed.size === 0) return [...rows];
  return rows.map((row) => {
    const mark =
      failed.get(`label ${row.barcode}`) ?? failed.get(`item ${row.itemId}`) ?? failed.get(`code ${row.sic}`);
    return mark === undefined ? row : { ...row, failed: mark };
  });
}

function statusOf(outcomes: readonly Outcome[]): ActivityStatus {
  const failed = outcomes.filter(({ status }) => !DONE.has(status));
  if (failed.length === 0) return "DONE";
  return failed.length === outcomes.length && failed.every(({ status }) => status !== "PARTIAL") ? "FAILED" : "PARTIAL";
}

const subjects = (names: readonly (string | undefined)[]): string[] =>
  [...new Set(names.filter((name) => name !== undefined && name !== ""))].slice(0, MAX_SUBJECTS) as string[];
