import { Type } from "typebox";
import { After, pageLimit } from "../../../schemas/paging.ts";
import { identifier } from "../../../schemas/text.ts";
import { WorkCause, type WorkEntry, WorkList, WorkMarked, WorkOrder } from "../../../schemas/work-list.ts";
import { actorOf } from "../../access/actor-of.ts";
import { createDateText } from "../../http/date-text.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { route } from "../../http/route.ts";
import type { Columns } from "../../management/integrity/columns.ts";
import { writeReport } from "../../management/integrity/write-report.ts";
import { admits } from "../../middleware/negotiate.ts";
import { cursorText, placeOf } from "../../query/cursor.ts";
import { shownAs } from "../list-labels.ts";
import { listWork } from "./list-work.ts";
import type { ReadWork, WorkPart } from "./read-work.ts";
import type { MarkWork } from "./work-marks.ts";

export interface WorkWorld {
  readWork: ReadWork;
  markWork: MarkWork;
  databaseNow(): Date;
}

const ORDER = "work";

const Query = Type.Object({
  cause: Type.Optional(WorkCause),
  assignee: Type.Optional(identifier(64, "Only labels assigned to this person")),
  after: Type.Optional(After),
  limit: Type.Optional(pageLimit()),
  format: Type.Optional(
    Type.Enum(["json", "csv"], {
      description:
        "`csv` returns all labels of the list, by barcode, without pages; takes precedence over the header Accept",
    }),
  ),
  serializeDatesToIso8601: shownAs.serializeDatesToIso8601,
});

const columns: Columns<WorkEntry> = {
  barcode: ({ barcode }) => barcode,
  plLocation: ({ plLocation }) => plLocation,
  itemIds: ({ itemIds }) => itemIds.join(" "),
  cause: ({ cause }) => cause,
  since: ({ since }) => since,
  state: ({ assignment }) => assignment?.state ?? "OPEN",
  assignee: ({ assignment }) => assignment?.assignee ?? null,
  expiresAt: ({ assignment }) => assignment?.expiresAt ?? null,
};

/** The work on a store's labels, and who does it (docs/integrators/work.md). */
export const workRoutes = ({ readWork, markWork, databaseNow }: WorkWorld) => [
  route({
    method: "GET",
    path: "/work",
    operationId: "getWork",
    summary: "List the labels that need attention, by cause, worst first",
    description:
      "Compares all labels of the store. Each label that needs attention has exactly one cause, so the counts add up. A page lists the " +
      "labels of all causes or of one; the counts are always those of the whole store.",
    scope: "labels:read",
    query: Query,
    answers: { 200: WorkList },
    alsoAs: ["text/csv"],
    async handle({ store, settings: { timeZone }, query, header }) {
      const { cause, assignee, after, limit = 100, serializeDatesToIso8601: isIso = false } = query;
      const isListed = (entry: WorkEntry) =>
        (cause === undefined || entry.cause === cause) &&
        (assignee === undefined || entry.assignment?.assignee === assignee);
      const parts = readWork(store, databaseNow(), createDateText(timeZone, isIso));
      if ((query.format ?? formatOf(header("accept"))) === "csv") {
        const summary = async () => ({});
        const body = await writeReport(listed(parts, isListed), "csv", { list: "entries", columns, summary });
        return { status: 200, type: "text/csv", body };
      }
      const place = after === undefined ? undefined : placeOf(after, ORDER);
      const { next, ...list } = await listWork(parts, { isListed, after: place, limit });
      return { status: 200, body: { ...list, next: next ? cursorText(ORDER, next) : null } };
    },
  }),

  route({
    method: "POST",
    path: "/work/marks",
    operationId: "markWork",
    changes: "records",
    summary: "Assign the work on labels to somebody, or mark it as done",
    description:
      "A mark applies to the named cause until the mark expires; a label that gets another cause is open again. The mark changes nothing on the " +
      "label, which stays on the list until its cause is gone.",
    scope: "labels:write",
    body: WorkOrder,
    answers: { 200: WorkMarked },
    async handle({ store, permit, body }) {
      if (body.state === "ASSIGNED" && body.assignee === undefined) throw missingAssignee();
      return { status: 200, body: await markWork(store, body, actorOf(permit)) };
    },
  }),
];

async function* listed(parts: AsyncIterable<WorkPart>, isListed: (entry: WorkEntry) => boolean) {
  for await (const { rows, ...part } of parts)
    yield { ...part, rows: rows.filter(isListed).sort((a, b) => (a.barcode < b.barcode ? -1 : 1)) };
}

const formatOf = (accept: string): "json" | "csv" =>
  admits(accept, "text/csv") && !admits(accept, "application/json") ? "csv" : "json";

const missingAssignee = () =>
  new ProblemError("invalid-request", "The body has 1 fault.", {
    errors: [
      { pointer: "/assignee", detail: 'is missing. With "ASSIGNED", send the name of the person who does the work.' },
    ],
  });
