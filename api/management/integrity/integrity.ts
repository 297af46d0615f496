import { Type } from "typebox";
import { instantOfStoreTime } from "../../../domain/times/store-time.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import { AskedVerdict, IntegrityReport } from "../../../schemas/integrity.ts";
import { storeKey, tenantIdOf } from "../../../schemas/keys.ts";
import { identifier, plainId } from "../../../schemas/text.ts";
import { createDateText } from "../../http/date-text.ts";
import { tenantRoute } from "../../http/route.ts";
import { shownAs } from "../../labels/list-labels.ts";
import type { ReadLaw } from "../../law/read-law.ts";
import { admits } from "../../middleware/negotiate.ts";
import { missing } from "../find-records.ts";
import { behindColumns, shownColumns } from "./columns.ts";
import { createTally, type IntegrityDependencies, labelsBehind, readTimes, shownThen } from "./report.ts";
import { type ReportFormat, writeReport } from "./write-report.ts";

export interface IntegrityWorld {
  integrity: IntegrityDependencies;
  /** Counts a store's violations of its country's law; null if the store names no country. */
  countFindings: ReadLaw["count"];
  now(): Date;
}

const Query = Type.Object({
  format: Type.Optional(Type.Enum(["json", "csv"], { description: "Takes precedence over the header Accept" })),
  at: Type.Optional(
    Type.String({
      format: "local-date-time",
      description:
        "Report what the labels showed at this time, `YYYY-MM-DD hh:mm:ss` in the store's time zone, instead of the current faults",
      examples: ["2026-03-03 10:00:00"],
    }),
  ),
  barcode: Type.Optional(
    Type.Array(identifier(64, "Label barcode"), {
      minItems: 1,
      maxItems: 1000,
      description: "With `at`: only these labels, as repeated parameters or separated by commas",
    }),
  ),
  verdict: Type.Optional(AskedVerdict),
  serializeDatesToIso8601: shownAs.serializeDatesToIso8601,
});

/**
 * Reports whether the labels of a store show what they should, and what they showed
 * (docs/operations/explain-a-label.md#what-a-shelf-showed).
 */
export const integrityRoutes = ({ integrity, countFindings, now }: IntegrityWorld) => [
  tenantRoute({
    method: "GET",
    path: "/stores/:storeId/integrity",
    operationId: "getIntegrity",
    summary:
      "Report the labels that do not show the newest item, link and design, and why; or what labels showed at a given time",
    description:
      "Compares what each label has acknowledged with the current state of its inputs. As JSON, or as CSV with " +
      "`format=csv` or `Accept: text/csv`, which contains only the rows.",
    scope: "ops",
    params: Type.Object({ storeId: plainId("Id of the store") }),
    query: Query,
    answers: { 200: IntegrityReport },
    alsoAs: ["text/csv"],
    problems: ["not-found", "too-much-waiting"],
    handle: async ({ tenant, params: { storeId }, query, header }) => {
      const store = storeKey(tenantIdOf(tenant), storeId);
      const settings = (await integrity.records.read(stores, [store])).get(store);
      if (settings === undefined) throw missing("store", storeId);
      const format = query.format ?? formatOf(header("accept"));
      const dateText = createDateText(settings.timeZone, query.serializeDatesToIso8601 ?? false);
      const time = now();
      const tally = createTally();
      const body = query.at
        ? await writeReport(
            shownThen(
              integrity,
              store,
              new Date(instantOfStoreTime(query.at, settings.timeZone)),
              query.barcode,
              dateText,
            ),
            format,
            { list: "shown", columns: shownColumns, summary: async (labels) => ({ labels }) },
          )
        : await writeReport(tally.of(labelsBehind(integrity, store, time, dateText, query.verdict)), format, {
            list: query.verdict ? "found" : "behind",
            columns: behindColumns,
            summary: async (labels) => ({
              labels,
              upToDate: labels - tally.total.behind,
              verdicts: tally.total.verdicts,
              warned: tally.total.warned,
              isCut: tally.total.isCut,
              law: await countFindings(store),
              timeToGlass: await readTimes(integrity, store, time, dateText),
            }),
          });
      return { status: 200, type: format === "csv" ? "text/csv" : "application/json", body };
    },
  }),
];

const formatOf = (accept: string): ReportFormat =>
  admits(accept, "text/csv") && !admits(accept, "application/json") ? "csv" : "json";
