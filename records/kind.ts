import { hash } from "node:crypto";
import type { Static, TSchema } from "typebox";
import type { Input } from "../schemas/record.ts";
import { type Topic, topics } from "../schemas/topics.ts";

/** An index of a collection, in addition to the one on `_id`. */
export interface CollectionIndex {
  collection: string;
  keys: Readonly<Record<string, 1 | -1>>;
  unique?: boolean;
  /** Contains only documents that have one of the fields. */
  sparse?: boolean;
  /** Contains only documents that match this filter. */
  partial?: Readonly<Record<string, unknown>>;
}

/** A record kind, which is one collection. The kinds are in `kinds/`, by subject. */
export interface RecordKind<Body> {
  /** Name of the kind and of its collection. */
  readonly name: string;
  readonly schema: TSchema;
  /** The topic of the kind's changes. Changes of a kind without a topic are not published. */
  readonly topic?: Topic;
  readonly indexes: readonly Omit<CollectionIndex, "collection">[];
  /** Only for kinds whose keys are label keys: the fields whose changes are reported to tails of labels. */
  readonly streamedFields: readonly string[];
  /**
   * A list of strings to which writes only append; the newest `max` are kept. The list is long, so it is read only when
   * requested by name, and a written body contains only the strings to append.
   */
  readonly appended?: { readonly field: string; readonly max: number };
  /** Whether a record with this body exists for callers: a tombstone does not. */
  isAlive(body: Body): boolean;
  /**
   * Returns the keys, under the names that expressions use, of values that differ between two bodies. Only for kinds whose
   * changes list these keys (`itemKeys`).
   */
  changedKeys?(before: Body, after: Body): string[];
}

export const inputOf = (kind: Pick<RecordKind<unknown>, "name">, key: string, rev: number): Input =>
  `${kind.name} ${key}#${rev}`;

/** The kind, the key and the rev of an input; undefined for a mark, which is not a record, and for a value input. */
export function partsOfInput(input: Input): { kind: string; key: string; rev: number } | undefined {
  const [, kind, key, rev] = /^(\S+) (t\/.+)#(\d+)$/s.exec(input) ?? [];
  return kind === undefined || key === undefined ? undefined : { kind, key, rev: Number(rev) };
}

/**
 * An input that represents only the values of some fields: `{kind} {key}={digest}`. It stays the same as long as these values
 * do, even if other fields change.
 */
export const valueInputOf = (kind: Pick<RecordKind<unknown>, "name">, key: string, digest: string): Input =>
  `${kind.name} ${key}=${digest}`;

/** The kind, the key and the digest of such an input. */
export function partsOfValueInput(input: Input): { kind: string; key: string; digest: string } | undefined {
  const [, kind, key, digest] = /^(\S+) (t\/.+)=([\w-]{16})$/s.exec(input) ?? [];
  return kind === undefined || key === undefined || digest === undefined ? undefined : { kind, key, digest };
}

/** Returns a digest of some of a record's fields; if there is no record, a digest of no values. */
export const digestOf = (record: object | undefined, fields: readonly string[]): string =>
  hash(
    "sha256",
    JSON.stringify(fields.map((field) => (record as Record<string, unknown>)?.[field] ?? null)),
    "base64url",
  ).slice(0, 16);

/** Defines a kind. Its changes are published on the topic of the same name, if there is one. */
export function recordKind<S extends TSchema>(
  name: string,
  schema: S,
  {
    indexes = [],
    streamedFields = [],
    appended,
    isAlive = () => true,
    changedKeys,
  }: Partial<Pick<RecordKind<Static<S>>, "indexes" | "streamedFields" | "appended" | "isAlive" | "changedKeys">> = {},
): RecordKind<Static<S>> {
  const topic = topics.find((candidate) => candidate === name);
  return {
    ...{ name, schema, indexes, streamedFields, isAlive },
    ...(appended && { appended }),
    ...(changedKeys && { changedKeys }),
    ...(topic && { topic }),
  };
}
