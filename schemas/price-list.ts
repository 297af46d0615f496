import { type Static, Type } from "typebox";
import { Actor } from "./actor.ts";
import { ItemId } from "./item.ts";
import { count, dateText, known } from "./text.ts";

const date = Type.Unsafe<Date>({});

/** Makes the schema of a price list's id, which callers choose. */
export const priceListId = (description: string) =>
  Type.String({
    pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$",
    maxLength: 64,
    errorMessage:
      "must have up to 64 letters, digits, points, hyphens and underscores, and begin with a letter or a digit",
    description,
    examples: ["spring-2026"],
  });
export const PriceListId = priceListId("Id of the price list");

/** Returns the id of the price list that a request of many rows creates automatically. */
export const listOfRequest = (number: number): string => `request-${number}`;

/** pricelist: requests whose changes to items are undone together. */
export const PriceList = Type.Object({
  /** When its first request was sent. */
  since: date,
  sentBy: Type.Optional(Actor),
  /** The earliest time for which one of its rows is scheduled, if any is. */
  startsAt: Type.Optional(date),
  /** Numbers of its requests. */
  requests: Type.Array(Type.Integer()),
  /** When and by whom it was undone, and the numbers of the requests that undo it. */
  undo: Type.Optional(Type.Object({ at: date, by: Type.Optional(Actor), requests: Type.Array(Type.Integer()) })),
});
export type PriceList = Static<typeof PriceList>;

/** Maximum number of requests in a price list. */
export const MAX_REQUESTS_PER_LIST = 500;
/** Maximum number of rows whose changes are kept in one record. */
export const ROWS_PER_PART = 1_000;

/** An item that a list changes: its id, its price before the list, and the price that the list sets. */
export type ListedItem = readonly [itemId: string, was: string | null, price: string | null];

/** pricelistpart: the items that one part of a price list's request changes. */
export const PriceListPart = Type.Object({
  /** JSON of its `ListedItem`s. */
  items: Type.String(),
});
export type PriceListPart = Static<typeof PriceListPart>;

/** A row of the request that undoes a list. */
export interface UndoRow {
  itemId: string;
  list: string;
  /** Number of the list's first request; absent from undos of the previous release. */
  first?: number;
  /** The item's price before the list, which guards check. Absent if its price does not change. */
  price?: string;
  /** Set if the list has set the item's price. */
  sets?: true;
  /** Set if the list has created the item. */
  created?: true;
}

export const PriceListState = Type.Enum(["SCHEDULED", "APPLYING", "APPLIED", "UNDOING", "UNDONE"], {
  title: "PriceListState",
  description:
    "SCHEDULED: its first change is still to come. APPLYING: its rows are being applied. APPLIED: they are applied. " +
    "UNDOING: it is being undone. UNDONE: it was undone, except for items whose values have changed since",
});
export type PriceListState = Static<typeof PriceListState>;

const summary = {
  listId: PriceListId,
  state: PriceListState,
  sentAt: dateText("When its first request was sent"),
  sentBy: known(Type.Object(Actor.properties, { title: "PriceListActor", description: "Who sent it" })),
  startsAt: known(dateText("The earliest time for which it is scheduled; null if it applies immediately")),
  requestIds: Type.Array(Type.Integer(), { description: "Numbers of its requests, whose results list each row" }),
  undo: known(
    Type.Object(
      {
        at: dateText("When it was undone"),
        by: known(Type.Object(Actor.properties, { title: "PriceListUndoActor", description: "Who undid it" })),
        requestIds: Type.Array(Type.Integer(), {
          description: "Numbers of the requests that undo it, whose results name each item that keeps a newer value",
        }),
      },
      { title: "PriceListUndo", description: "How it was undone; null if nobody has undone it" },
    ),
  ),
};

/** A price list in a list. */
export const PriceListSummary = Type.Object(summary, { title: "PriceListSummary" });
export type PriceListSummary = Static<typeof PriceListSummary>;

const Jump = Type.Object(
  {
    itemId: ItemId,
    itemName: known(Type.String({ description: "The item's name now" })),
    was: known(Type.String({ description: "The price before the list; null for an item without a price" })),
    price: Type.String({ description: "The price that the list sets" }),
    percent: known(Type.Number({ description: "Price change in percent; negative for a fall", examples: [-12.5] })),
  },
  { title: "PriceJump" },
);
export type Jump = Static<typeof Jump>;
export const MAX_JUMPS = 200;

/** A price list with its progress and its largest jumps. */
export const PriceListAnswer = Type.Object(
  {
    ...summary,
    rows: Type.Object(
      {
        sent: count("Rows of its requests, while their results are kept"),
        applied: count("Rows that were applied"),
        failed: count("Rows that failed as a whole or in part"),
      },
      { title: "PriceListRows", description: "Outcomes of its rows so far" },
    ),
    items: count("Items that it changes"),
    labels: Type.Object(
      {
        total: count("Labels that show these items"),
        drawn: count("Labels whose picture has the items' current prices"),
        acknowledged: count("Labels that have acknowledged this picture"),
      },
      { title: "PriceListLabels", description: "How many labels its prices have reached" },
    ),
    jumps: Type.Array(Jump, {
      description: `Price changes, at most ${MAX_JUMPS}: prices that cannot be compared first, then the largest changes`,
    }),
  },
  { title: "PriceList", description: "Changes to items that were sent together, and can be undone together" },
);
export type PriceListAnswer = Static<typeof PriceListAnswer>;

export const UndoReceipt = Type.Object(
  {
    requestIds: Type.Array(Type.Integer(), {
      description: "Numbers of the requests that undo it; their results name each item",
    }),
    held: Type.Boolean({ description: "Whether price guards hold the requests until a second person approves" }),
  },
  { title: "UndoReceipt" },
);
