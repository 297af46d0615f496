import type { Static } from "typebox";
import type { LabelCare } from "../../../schemas/care.ts";
import type { LabelExplanation } from "../../../schemas/explanation.ts";
import type { LabelAnswer } from "../../../schemas/label.ts";
import type { HistoryAnswer } from "../../../schemas/label-history.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { Visit } from "../visit.ts";
import { type LabelPictures, readPictures } from "./pictures.ts";

export type ShownLabel = Static<typeof LabelAnswer.full>;

/** The data of a label's page. */
export interface LabelFacts {
  label: ShownLabel;
  explanation: LabelExplanation;
  history: readonly HistoryAnswer[];
  pictures: LabelPictures;
  care: LabelCare;
}

/** Reads the data for a label's page, with its visitor's rights. */
export async function readLabelFacts(visit: Visit): Promise<LabelFacts> {
  const { read, params, store } = visit;
  if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
  const barcode = params.barcode ?? "";
  const call = { storeId: store.id, params: { barcode }, query: { serializeDatesToIso8601: true } };
  const [label, explanation, history, pictures, care] = await Promise.all([
    read<ShownLabel>("getLabel", call),
    read<LabelExplanation>("explainLabel", call),
    read<HistoryAnswer[]>("getLabelHistory", call),
    readPictures(visit, barcode),
    read<LabelCare>("getLabelCare", { storeId: store.id, params: { barcode } }),
  ]);
  return { label, explanation, history, pictures, care };
}
