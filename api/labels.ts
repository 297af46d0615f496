import { Type } from "typebox";
import type { Stored } from "../records/kind.ts";
import { type Label, LabelAnswer, LabelPatch } from "../schemas/label.ts";
import { limitOf, Projection, Start } from "../schemas/paging.ts";
import { Receipt } from "../schemas/request.ts";
import { identifier } from "../schemas/text.ts";
import type { AcceptRows } from "./accept-rows.ts";
import { knownFields } from "./known-fields.ts";
import { type LabelContext, type LabelProjection, labelAnswer } from "./label-answer.ts";
import { ProblemError } from "./problem-error.ts";
import { route } from "./route.ts";
import { streamList } from "./stream-list.ts";

/** What is known of a label beside its own record. */
export type ShownBeside = Pick<LabelContext, "state" | "links" | "isBehind">;

export interface Dependencies {
  acceptRows: AcceptRows;
  readLabel(store: string, barcode: string): Promise<Stored<Label> | undefined>;
  /** The labels of a store, in order of their barcodes, in pages. */
  listLabels(store: string, start: number, limit: number): AsyncIterable<Stored<Label>[]>;
  /** What is shown beside these labels, by key. */
  readContext(labelKeys: readonly string[]): Promise<Map<string, ShownBeside>>;
  now(): Date;
  offlineAfterMs: number;
}

const ROWS = 20_000;
export const LabelPath = Type.Object({ barcode: identifier(64, "Label barcode") });

const shown = {
  projection: Type.Optional(Projection),
  serializeDatesToIso8601: Type.Optional(Type.Boolean({ default: false })),
};

/** Operations on labels (specification, Endpoints, Labels). */
export const labels = ({ acceptRows, readLabel, listLabels, readContext, now, offlineAfterMs }: Dependencies) => {
  async function show(
    page: readonly Stored<Label>[],
    timeZone: string,
    {
      projection,
      serializeDatesToIso8601: isIso = false,
    }: { projection?: LabelProjection; serializeDatesToIso8601?: boolean },
  ) {
    const contexts = await readContext(page.map(({ _id }) => _id));
    return page.map((label) => {
      const context = contexts.get(label._id) ?? { state: undefined, links: [], isBehind: false };
      return labelAnswer(label, projection, { ...context, timeZone, isIso, now: now(), offlineAfterMs });
    });
  }

  return [
    route({
      method: "PATCH",
      path: "/labels",
      operationId: "patchLabels",
      summary: "Set labels and link them",
      scope: "labels:write",
      body: Type.Array(LabelPatch, { minItems: 1, maxItems: ROWS }),
      answers: { 202: Receipt },
      handle: async ({ store, body }) => {
        const rows = body.map((row) => knownFields(LabelPatch, row));
        return {
          status: 202,
          body: { requestId: await acceptRows({ store, operation: "patch-labels", rows, ordered: true }) },
        };
      },
    }),

    route({
      method: "GET",
      path: "/labels",
      operationId: "listLabels",
      summary: "List labels with their links, ordered by barcode",
      scope: "labels:read",
      query: Type.Object({ ...shown, start: Type.Optional(Start), limit: Type.Optional(limitOf(100, 20_000)) }),
      answers: { 200: Type.Array(LabelAnswer.any) },
      handle: async ({ store, settings, query }) => ({
        status: 200,
        type: "application/json",
        body: await streamList(listLabels(store, query.start ?? 0, query.limit ?? 100), (page) =>
          show(page, settings.timeZone, query),
        ),
      }),
    }),

    route({
      method: "GET",
      path: "/labels/:barcode",
      operationId: "getLabel",
      summary: "One label with its links",
      scope: "labels:read",
      params: LabelPath,
      query: Type.Object(shown),
      answers: { 200: LabelAnswer.any },
      problems: ["not-found"],
      handle: async ({ store, settings, params: { barcode }, query }) => {
        const label = await readLabel(store, barcode);
        if (label === undefined) throw noLabel(barcode);
        const [answer] = await show([label], settings.timeZone, query);
        return { status: 200, body: answer };
      },
    }),
  ];
};

export const noLabel = (barcode: string) => new ProblemError("not-found", `There is no label "${barcode}".`);
