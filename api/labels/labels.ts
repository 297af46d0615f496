import { Type } from "typebox";
import { faultOfBarcode } from "../../domain/linking/barcodes/barcode-scheme.ts";
import type { SchemeOf } from "../../records/linking/barcode-schemes.ts";
import { type ClearableField, LabelAnswer, LabelPatch } from "../../schemas/label.ts";
import { MAX_ROWS, Receipt } from "../../schemas/request.ts";
import { identifier } from "../../schemas/text.ts";
import { createDateText } from "../http/date-text.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import type { AcceptRows } from "../requests/accept-rows.ts";
import { createLabelAnswer } from "./label-answer.ts";
import { fieldsOf, wantedFor } from "./label-fields.ts";
import type { LabelReader } from "./label-reader.ts";
import { shownAs } from "./list-labels.ts";

export interface LabelsWorld {
  acceptRows: AcceptRows;
  openLabels(store: string): LabelReader;
  noLabel: NoLabel;
}

export const LabelPath = Type.Object({ barcode: identifier(64, "Label barcode") });

/** Operations that write labels, and read one (docs/integrators/labels.md#labels-and-links). */
export const labels = ({ acceptRows, openLabels, noLabel }: LabelsWorld) => {
  const clear = async (store: string, barcode: string, clears: ClearableField) => {
    const rows: LabelPatch[] = [{ barcode, clears }];
    const requestId = await acceptRows({ store, operation: "patch-labels", rows, ordered: true });
    return { status: 202, body: { requestId } };
  };

  return [
    route({
      method: "PATCH",
      path: "/labels",
      operationId: "patchLabels",
      summary: "Set labels and link them",
      scope: "labels:write",
      body: Type.Array(LabelPatch, { minItems: 1, maxItems: MAX_ROWS }),
      answers: { 202: Receipt },
      handle: async ({ store, body: rows }) => ({
        status: 202,
        body: { requestId: await acceptRows({ store, operation: "patch-labels", rows, ordered: true }) },
      }),
    }),

    route({
      method: "GET",
      path: "/labels/:barcode",
      operationId: "getLabel",
      summary: "Get one label with its links",
      scope: "labels:read",
      params: LabelPath,
      query: Type.Object(shownAs),
      isTagged: true,
      answers: { 200: LabelAnswer.any },
      problems: ["not-found"],
      handle: async ({ store, settings, params: { barcode }, query }) => {
        const { projection, serializeDatesToIso8601: isIso = false } = query;
        const reader = openLabels(store);
        const wanted = wantedFor(fieldsOf(projection));
        const [facts] = await reader.complete(await reader.read([barcode], wanted.own), wanted);
        if (facts === undefined) throw await noLabel(store, barcode);
        const show = createLabelAnswer(projection, createDateText(settings.timeZone, isIso));
        return { status: 200, body: show(facts) };
      },
    }),

    route({
      method: "DELETE",
      path: "/labels/:barcode/home-trx",
      operationId: "clearHomeTrx",
      summary: "Remove a label's home transceiver, so that its department's transceivers reach it again",
      scope: "labels:write",
      params: LabelPath,
      answers: { 202: Receipt },
      handle: ({ store, params: { barcode } }) => clear(store, barcode, "homeTrx"),
    }),

    route({
      method: "DELETE",
      path: "/labels/:barcode/device",
      operationId: "clearDevice",
      summary: "Remove the MAC address of a label's tag, so that the barcode is the address again",
      description:
        "As after a change of `device`, it is then unknown what the label shows, and its pictures are sent again.",
      scope: "labels:write",
      params: LabelPath,
      answers: { 202: Receipt },
      handle: ({ store, params: { barcode } }) => clear(store, barcode, "device"),
    }),
  ];
};

/** Creates the 404 for a label that a store does not have. For a barcode that no label can have, it states the fault. */
export type NoLabel = (store: string, barcode: string) => Promise<ProblemError>;

export const createNoLabel =
  (schemeOf: SchemeOf): NoLabel =>
  async (store, barcode) => {
    const scheme = await schemeOf(store);
    const why = scheme(barcode) === undefined ? `, and none can: ${faultOfBarcode(scheme, barcode)}` : "";
    return new ProblemError("not-found", `The label "${barcode}" does not exist${why}.`);
  };
