import type { Cause } from "./cause.ts";

/** The fields of every record beside its body (docs/architecture.md#the-envelope-of-a-record). */
export interface Envelope {
  _id: string;
  /** Key of the store or the tenant that owns the record. */
  store: string;
  /** Time of the write in milliseconds, and larger than the last: revs never repeat, not even after a restore. */
  rev: number;
  /**
   * Random ids of the last batches of writes that wrote it, newest first, separated by spaces: after a compare-and-set they
   * show which writer won, even where another one has written since.
   */
  writeId: string;
  changedAt: Date;
  /** Of a derived record: the records that it was derived from, with their revs. */
  inputs?: Input[];
  /** What its last write goes back to, where it has a topic; of a derived record, what its newest input goes back to. */
  cause?: Cause;
}

/** A record that another was derived from: `{kind} {key}#{rev}`. Rev 0 means that it did not exist. */
export type Input = string;

/** A record as it is stored: its body in its envelope. */
export type Stored<Body> = Envelope & Body;
