import {
  digestOf,
  inputOf,
  partsOfInput,
  partsOfValueInput,
  type RecordKind,
  valueInputOf,
} from "../../records/kind.ts";
import type { ReadTogether } from "../../records/read-together.ts";
import type { Cause } from "../../schemas/cause.ts";
import type { Envelope, Input, Stored } from "../../schemas/record.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { QueueName } from "../topology.ts";

/** A record, as it was read, from which another is derived. */
export interface Source {
  kind: RecordKind<unknown>;
  key: string;
  rev: number;
  /** The cause of its last write. */
  cause?: Cause | undefined;
  /** The names of the fields that count, and a digest of their values; absent if all fields count. */
  values?: { fields: readonly string[]; digest: string };
}

/** Describes a source as it was read; a source that does not exist has rev 0. */
export const sourceOf = (
  kind: RecordKind<unknown>,
  key: string,
  record: Pick<Envelope, "rev" | "cause"> | undefined,
): Source => ({ kind, key, rev: record?.rev ?? 0, cause: record?.cause });

/** Describes a source that is compared only by the values of these fields. Changes to other fields make nothing stale. */
export const valuesOf = <Body>(
  kind: RecordKind<Body>,
  key: string,
  record: Stored<Body> | undefined,
  fields: readonly (keyof Body & string)[],
): Source => ({ ...sourceOf(kind, key, record), values: { fields, digest: digestOf(record, fields) } });

/** Returns what a derived record stores about a source. */
export const inputOfSource = ({ kind, key, rev, values }: Source): Input =>
  values ? valueInputOf(kind, key, values.digest) : inputOf(kind, key, rev);

/**
 * Returns the sources that a write may have set back, for records that keep their inputs. A handler that left the record
 * unchanged had found the stored inputs to be current. So a source with a higher rev than its stored input was read later and is
 * current; a source with a lower rev may be outdated. Values have no order, so different values may be outdated, too. The same
 * holds for a source that is stored as absent.
 */
export function inputsSetBack(sources: readonly Source[], stored: readonly Input[] = []): Source[] {
  const known = new Set(stored);
  return sources.filter((source) => !known.has(inputOfSource(source)) && stored.some(isSetBackBy(source)));
}

const isSetBackBy =
  ({ kind, key, rev, values }: Source) =>
  (stored: Input): boolean => {
    const before = values ? partsOfValueInput(stored) : partsOfInput(stored);
    if (before?.kind !== kind.name || before.key !== key) return false;
    return "digest" in before || before.rev > rev || before.rev === 0;
  };

/** The inputs of one record. */
export interface Loaded<Facts> {
  facts: Facts;
  sources: readonly Source[];
  /**
   * A string that represents an input that is not a record; it changes whenever that input does. Stored after the other inputs.
   */
  mark?: string;
}

/**
 * The stage after a derivation, for records that depend on a single derived record. Both records are written together, so the
 * worker of that stage has nothing to do. The stage's own derivation keeps its inputs
 * (docs/architecture/guarantees.md#derived-records-converge).
 */
export interface Following<Facts, Body, Next = unknown> {
  kind: RecordKind<Next>;
  /** The queue that otherwise derives these records. */
  queue: QueueName;
  /** Returns the key of the record that depends on this one. */
  keyOf(key: string): string;
  /** Returns the record's body; undefined if it may depend on other sources as well. */
  decide(facts: Facts, body: Body): Next | undefined;
  /** Same as `isQuiet` of the stage's own derivation. */
  isQuiet(current: Next, next: Next): boolean;
  /**
   * Returns the records that no input names and whose absence `decide` relied on. If one of them exists after the next stage's
   * record has been written, the change announcing it may have come too early, so the stage's queue derives its record as well.
   */
  absent(facts: Facts): readonly Absent[];
}

/** A record that was looked up and not found. */
export type Absent = Pick<Source, "kind" | "key">;

/** How records of a kind are derived from other records. */
export interface Derivation<Facts, Body> {
  kind: RecordKind<Body>;
  /** The kinds of its sources. A source of a different kind is rejected. */
  from: readonly RecordKind<unknown>[];
  /**
   * Uses `read` to load the inputs of the records with these keys. The first call of `read` also reads the derived records,
   * before the inputs. Keys that have no inputs yet are omitted. After that call, `following` returns the next stage's record
   * by the derived record's key, if the former was made from the derived record's current rev and nothing else.
   */
  load(
    keys: readonly string[],
    read: ReadTogether,
    following?: (key: string) => Stored<unknown> | undefined,
  ): Promise<Map<string, Loaded<Facts>>>;
  /** The new body of each record, in the order of the cases; undefined leaves the current record unchanged. */
  decide(cases: readonly Case<Facts, Body>[]): Promise<readonly (Body | undefined)[]>;
  /**
   * Says whether a record lacks an input that another worker makes, and orders that input. A record that lacks it is stale
   * although its inputs are unchanged, so that a lost order is repeated.
   */
  missing?: { isLacking(facts: Facts): boolean; order(facts: readonly Facts[], urgency: Urgency): Promise<void> };
  /**
   * Returns the keys of the records whose files are no longer stored; absent if the kind has no files. Such a record is stale,
   * although its inputs are unchanged.
   */
  findLost?(records: readonly Stored<Body>[]): Promise<readonly string[]>;
  /**
   * Whether a mark is newer than the stored mark: only then does the mark by itself make a record stale. Two processes leave
   * each other's records unchanged if neither mark is newer. Without this function, a record is stale whenever its mark
   * differs.
   */
  isNewer?(mark: string, stored: string): boolean;
  /** Whether this change is written without publishing it. */
  isQuiet?(current: Body, next: Body): boolean;
  /**
   * True if every new rev of an input rewrites the record, so that its inputs show whether it is stale. If false, a new rev
   * may leave the record unchanged: an unchanged design is not written (docs/rules.md#the-eleven-rules, 9). A written record is
   * then derived once more, so `decide` must return undefined if the record is already correct.
   */
  keepsInputs: boolean;
  next?: Following<Facts, Body>;
}

export interface Case<Facts, Body> {
  key: string;
  facts: Facts;
  current: Stored<Body> | undefined;
}
