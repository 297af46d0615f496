import { type Static, Type } from "typebox";
import { TransmissionPriority } from "./action.ts";
import { DisplayedPage } from "./display-page.ts";
import { Flash } from "./flash.ts";
import { Color } from "./label-type.ts";
import { Urgency } from "./urgency.ts";

/**
 * The job for one journaled chunk. It carries the chunk's key, never its rows, which are in the journal. An ordered chunk
 * starts when all smaller numbers of its store are settled.
 */
export const RequestChunk = Type.Object({
  key: Type.String(),
  store: Type.String(),
  number: Type.Integer(),
  index: Type.Integer(),
  ordered: Type.Boolean(),
  /** Weight of the chunk in rows: a row that affects many records counts as many rows. */
  size: Type.Integer(),
});
export type RequestChunk = Static<typeof RequestChunk>;

/** The job that applies the reports waiting in MongoDB; it carries none of them. */
export const ReportPrompt = Type.Object({});

/**
 * An order to draw a page of an item from the stored upload, at the size of a label that has recently begun to show the item.
 */
export const PageSizeOrder = Type.Object({
  store: Type.String(),
  itemId: Type.String(),
  page: Type.Integer(),
  width: Type.Integer(),
  height: Type.Integer(),
  colors: Type.Array(Color),
  urgency: Urgency,
});
export type PageSizeOrder = Static<typeof PageSizeOrder>;

const order = {
  store: Type.String(),
  barcode: Type.String(),
  /**
   * Time of the call, in microseconds of Redis's clock. Of two orders of the same kind, the label keeps the order with the
   * larger number.
   */
  number: Type.Integer(),
  priority: TransmissionPriority,
  /** Short ids of the transceivers to send through. */
  transceivers: Type.Array(Type.String()),
  /** Radio address of the tag; absent if the label has none. */
  device: Type.Optional(Type.String()),
  /** The link department through whose transceivers the order is sent, by id or alias; absent if the label's record decides. */
  linkDepartment: Type.Optional(Type.String()),
};

/** An order for a label that is either carried out immediately or discarded; `body` is sent to the label server. */
export const FlashOrder = Type.Object({ ...order, body: Flash });
export type FlashOrder = Static<typeof FlashOrder>;
export const DisplayPageOrder = Type.Object({ ...order, body: DisplayedPage });
export type DisplayPageOrder = Static<typeof DisplayPageOrder>;
export type LabelOrder = FlashOrder | DisplayPageOrder;
