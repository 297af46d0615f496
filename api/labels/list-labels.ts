import { type Static, Type } from "typebox";
import { ItemId } from "../../schemas/item.ts";
import { BatteryState, LabelAnswer, labelScalars, PlState } from "../../schemas/label.ts";
import { After, Projection, pageLimit, SerializeDates, Start } from "../../schemas/paging.ts";
import { identifier } from "../../schemas/text.ts";
import { streamList } from "../http/answers/stream-list.ts";
import { createDateText } from "../http/date-text.ts";
import { route } from "../http/route.ts";
import { assertOneStart, cursorText, placeOf } from "../query/cursor.ts";
import { createLabelAnswer } from "./label-answer.ts";
import { labelBatches } from "./label-batches.ts";
import { fieldsOf } from "./label-fields.ts";
import { labelPage } from "./label-page.ts";
import type { LabelReader } from "./label-reader.ts";

export interface LabelListWorld {
  openLabels(store: string): LabelReader;
  /** Returns the barcodes of the labels that show any of these items. */
  barcodesOfItems(store: string, itemIds: readonly string[]): Promise<string[]>;
}

/** Query parameters for the format of a label's response, for lists and single labels. */
export const shownAs = {
  projection: Type.Optional(Projection),
  serializeDatesToIso8601: Type.Optional(SerializeDates("`YYYY-MM-DD hh:mm:ss`")),
};

const MAX_LIMIT = 20_000;
const severalValues =
  "one or more, as repeated parameters or separated by commas (`\\,` is a comma within a value); case-sensitive";
const Query = Type.Object({
  ...shownAs,
  "filter[barcode]": Type.Optional(
    Type.Array(identifier(64, "Label barcode"), { minItems: 1, description: `Barcodes: ${severalValues}` }),
  ),
  "filter[modelName]": Type.Optional(
    Type.Array(identifier(128, "Name of a model"), { minItems: 1, description: `Model names: ${severalValues}` }),
  ),
  "filter[plLocation]": Type.Optional(
    Type.Array(identifier(128, "A label location"), { minItems: 1, description: `Locations: ${severalValues}` }),
  ),
  "filter[linkDepartment]": Type.Optional(
    Type.Array(identifier(128, "Link department as stored with the label"), {
      minItems: 1,
      description: `Link departments, by id or alias as stored with the labels: ${severalValues}`,
    }),
  ),
  "filter[itemId]": Type.Optional(
    Type.Array(ItemId, { minItems: 1, maxItems: 1000, description: `Items that the labels show: ${severalValues}` }),
  ),
  "filter[plState]": Type.Optional(Type.Array(PlState, { minItems: 1, description: `States: ${severalValues}` })),
  "filter[batteryState]": Type.Optional(
    Type.Array(BatteryState, { minItems: 1, description: `Battery states: ${severalValues}` }),
  ),
  replaceWithin: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3650,
      description: "Only labels whose battery ends within this many days according to its forecast",
      examples: [30],
    }),
  ),
  sortProperty: Type.Optional(
    Type.Enum(labelScalars, {
      default: "barcode",
      description: "Field to sort by. Unknown values come last; labels with equal values are sorted by barcode",
    }),
  ),
  sortDirection: Type.Optional(
    Type.String({
      pattern: "^([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc])$",
      default: "ASC",
      description: "ASC or DESC, case-insensitive",
      errorMessage: "must be ASC or DESC",
    }),
  ),
  after: Type.Optional(After),
  start: Type.Optional(Start),
  limit: Type.Optional(pageLimit(MAX_LIMIT)),
});

/** The list of labels, with filters and orders (docs/integrators/labels.md#labels-and-links). */
export const labelList = ({ openLabels, barcodesOfItems }: LabelListWorld) => [
  route({
    method: "GET",
    path: "/labels",
    operationId: "listLabels",
    summary: "List labels with their links, ordered by barcode or by a given field",
    scope: "labels:read",
    query: Query,
    answers: { 200: Type.Array(LabelAnswer.any) },
    handle: async ({ store, settings, query }) => {
      const { projection, serializeDatesToIso8601: isIso = false } = query;
      assertOneStart(query);
      const { sortProperty = "barcode", start, after, limit = 100 } = query;
      const descending = query.sortDirection?.toUpperCase() === "DESC";
      const reader = openLabels(store);
      const listing = {
        fields: fieldsOf(projection),
        barcodes: await barcodesIn(query, (itemIds) => barcodesOfItems(store, itemIds)),
        own: {
          modelName: query["filter[modelName]"],
          plLocation: query["filter[plLocation]"],
          linkDepartment: query["filter[linkDepartment]"],
        },
        states: {
          plState: query["filter[plState]"] && new Set(query["filter[plState]"]),
          batteryState: query["filter[batteryState]"] && new Set(query["filter[batteryState]"]),
          replaceWithin: query.replaceWithin,
        },
        sortProperty,
        descending,
        limit,
      };
      const order = `${sortProperty} ${descending ? "DESC" : "ASC"}`;
      const { batches, next } =
        start === undefined
          ? await labelPage(reader, { ...listing, after: after === undefined ? undefined : placeOf(after, order) })
          : { batches: labelBatches(reader, { ...listing, start }), next: undefined };
      const show = createLabelAnswer(projection, createDateText(settings.timeZone, isIso));
      return {
        status: 200,
        type: "application/json",
        body: await streamList(batches, async (batch) => batch.map(show)),
        next: next && cursorText(order, next),
      };
    },
  }),
];

/** Returns the barcodes to which a list is limited by filters on barcode and item; undefined without such a filter. */
async function barcodesIn(
  query: Static<typeof Query>,
  showing: (itemIds: readonly string[]) => Promise<readonly string[]>,
): Promise<readonly string[] | undefined> {
  const { "filter[barcode]": barcodes, "filter[itemId]": itemIds } = query;
  if (itemIds === undefined) return barcodes;
  const shown = await showing(itemIds);
  if (barcodes === undefined) return shown;
  const named = new Set(barcodes);
  return shown.filter((barcode) => named.has(barcode));
}
