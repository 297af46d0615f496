import type { IndexSpecification } from "mongodb";
import type { Static, TSchema } from "typebox";
import { type Topic, topics } from "../schemas/topics.ts";

/** A record kind: one collection. Its file in `kinds/` is all that a further kind needs. */
export interface RecordKind<Body> {
  /** Name of the kind and of its collection. */
  readonly name: string;
  readonly schema: TSchema;
  /** Where its changes are published; the changes of a kind without a topic are not. */
  readonly topic?: Topic;
  readonly indexes: readonly { keys: IndexSpecification; sparse?: boolean }[];
  /** Whether a record of this body is there for its users: a tombstone is not. */
  isAlive(body: Body): boolean;
}

/** What every record carries around its body (design, section 4). */
export interface Envelope {
  _id: string;
  /** The store, or the tenant, that the record belongs to. */
  store: string;
  /** Starts at the time of creation in milliseconds, so that a key's revs never repeat; each change adds 1. */
  rev: number;
  /** Random, one a batch of writes: tells after a compare-and-set whose write it was. */
  writeId: string;
  changedAt: Date;
  /** Of a derived record: the records it was made from, as they were. */
  inputs?: Input[];
}

/** A record that another was made from, as it was: `{kind} {key}#{rev}`. Rev 0 says that there was none. */
export type Input = string;

export const inputOf = (kind: Pick<RecordKind<unknown>, "name">, key: string, rev: number): Input =>
  `${kind.name} ${key}#${rev}`;

export type Stored<Body> = Envelope & Body;

/** Describes a kind. Changes of a kind that is named like a topic are published there. */
export function recordKind<S extends TSchema>(
  name: string,
  schema: S,
  { indexes = [], isAlive = () => true }: Partial<Pick<RecordKind<Static<S>>, "indexes" | "isAlive">> = {},
): RecordKind<Static<S>> {
  const topic = topics.find((candidate) => candidate === name);
  return { name, schema, indexes, isAlive, ...(topic && { topic }) };
}
