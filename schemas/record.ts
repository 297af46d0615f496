import type { Cause } from "./cause.ts";

/** The fields of every record in addition to its body (docs/architecture/records.md#the-envelope-of-a-record). */
export interface Envelope {
  _id: string;
  /** Key of the store or the tenant that owns the record. */
  store: string;
  /**
   * Time of the write in milliseconds, always larger than the previous one: revs never repeat, not even after a
   * restore.
   */
  rev: number;
  /**
   * Random ids of the last batches that wrote the record, newest first, separated by spaces. After a compare-and-set, they show
   * which writer won, even if another writer has written since.
   */
  writeId: string;
  changedAt: Date;
  /** Derived records only: the records that it was derived from, with their revs. */
  inputs?: Input[];
  /** The cause of its last write, if the record has a topic; for a derived record, the cause of its newest input. */
  cause?: Cause;
}

/** A record that another was derived from: `{kind} {key}#{rev}`. Rev 0 means that it did not exist. */
export type Input = string;

/** A record as stored: its body in its envelope. */
export type Stored<Body> = Envelope & Body;
