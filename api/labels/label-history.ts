import { Type } from "typebox";
import { traceIdOf } from "../../schemas/cause.ts";
import { entriesOf, HistoryAnswer } from "../../schemas/label-history.ts";
import { createDateText } from "../http/date-text.ts";
import { route } from "../http/route.ts";
import { LabelPath, type NoLabel } from "./labels.ts";
import { shownAs } from "./list-labels.ts";

export interface LabelHistoryWorld {
  noLabel: NoLabel;
  /** Returns a label's stored events, oldest first; undefined if there is no such label. */
  readHistory(store: string, barcode: string): Promise<readonly string[] | undefined>;
}

/** The history of a label: transmissions, actions and battery changes. */
export const labelHistory = ({ readHistory, noLabel }: LabelHistoryWorld) => [
  route({
    method: "GET",
    path: "/labels/:barcode/history",
    operationId: "getLabelHistory",
    summary: "List the last 50 events of a label, newest first",
    scope: "labels:read",
    params: LabelPath,
    query: Type.Object({ serializeDatesToIso8601: shownAs.serializeDatesToIso8601 }),
    answers: { 200: Type.Array(HistoryAnswer) },
    problems: ["not-found"],
    handle: async ({ store, settings, params: { barcode }, query }) => {
      const history = await readHistory(store, barcode);
      if (history === undefined) throw await noLabel(store, barcode);
      const dateText = createDateText(settings.timeZone, query.serializeDatesToIso8601 ?? false);
      const body = entriesOf(history).map(
        ({ at, event, result, page, image, transmission, reason, notice, transceiver, cause }): HistoryAnswer => ({
          time: dateText(new Date(at)),
          event,
          result,
          page: page ?? null,
          image: image ?? null,
          transmission: transmission ?? null,
          reason: reason ?? null,
          notice: notice ?? null,
          transceiver: transceiver ?? null,
          requestId: cause?.request ?? null,
          xRequestId: cause?.call ?? null,
          traceId: cause?.trace === undefined ? null : traceIdOf(cause.trace),
        }),
      );
      return { status: 200, body };
    },
  }),
];
