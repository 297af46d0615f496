import { type Static, Type } from "typebox";

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
