import { type Static, Type } from "typebox";
import { TransmissionPriority } from "./action.ts";
import { DisplayedPage } from "./display-page.ts";
import { Flash } from "./flash.ts";

/**
 * The job of one journaled chunk: where it is, never what it says. The journal has the rows.
 * An ordered chunk starts when all smaller numbers of its store are settled.
 */
export const RequestChunk = Type.Object({
  key: Type.String(),
  store: Type.String(),
  number: Type.Integer(),
  index: Type.Integer(),
  ordered: Type.Boolean(),
  /** As how many rows the chunk counts. */
  size: Type.Integer(),
});
export type RequestChunk = Static<typeof RequestChunk>;

const order = {
  store: Type.String(),
  barcode: Type.String(),
  /** When it was asked for, in microseconds of Redis's clock: of two orders of a kind the label keeps the larger number. */
  number: Type.Integer(),
  priority: TransmissionPriority,
  /** Short ids of the transceivers to send through. */
  transceivers: Type.Array(Type.String()),
};

/** What a label shall do now, or not at all: the body is what its label server is told. */
export const FlashOrder = Type.Object({ ...order, body: Flash });
export type FlashOrder = Static<typeof FlashOrder>;
export const DisplayPageOrder = Type.Object({ ...order, body: DisplayedPage });
export type DisplayPageOrder = Static<typeof DisplayPageOrder>;
export type LabelOrder = FlashOrder | DisplayPageOrder;
