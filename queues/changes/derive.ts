import {
  digestOf,
  inputOf,
  partsOfInput,
  partsOfValueInput,
  type RecordKind,
  valueInputOf,
} from "../../records/kind.ts";
import type { FoundTogether, KeyedRead, ReadTogether } from "../../records/read-together.ts";
import type { Records } from "../../records/records.ts";
import { inBatches } from "../../schemas/batches.ts";
import type { Cause } from "../../schemas/cause.ts";
import type { Envelope, Input, Stored } from "../../schemas/record.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Commit, Decision } from "./commit.ts";

/** A record that another is derived from, as it was read. */
export interface Source {
  kind: RecordKind<unknown>;
  key: string;
  rev: number;
  /** The cause of its last write. */
  cause?: Cause | undefined;
  /** Where only these fields count: their names, and a digest of their values. */
  values?: { fields: readonly string[]; digest: string };
}

/** A source as it was read; a source that does not exist has rev 0. */
export const sourceOf = (
  kind: RecordKind<unknown>,
  key: string,
  record: Pick<Envelope, "rev" | "cause"> | undefined,
): Source => ({ kind, key, rev: record?.rev ?? 0, cause: record?.cause });

/** A source that counts only by the values of these fields: other changes of it make nothing stale. */
export const valuesOf = <Body>(
  kind: RecordKind<Body>,
  key: string,
  record: Stored<Body> | undefined,
  fields: readonly (keyof Body & string)[],
): Source => ({ ...sourceOf(kind, key, record), values: { fields, digest: digestOf(record, fields) } });

const inputOfSource = ({ kind, key, rev, values }: Source): Input =>
  values ? valueInputOf(kind, key, values.digest) : inputOf(kind, key, rev);

/** The inputs of one record. */
export interface Loaded<Facts> {
  facts: Facts;
  sources: readonly Source[];
  /**
   * An input that is not a record, as a text that differs whenever that input differs; stored after the other inputs.
   */
  mark?: string;
}

/** How records of a kind are derived from others. */
export interface Derivation<Facts, Body> {
  kind: RecordKind<Body>;
  /** The kinds that it may be derived from. A source of another kind is refused. */
  from: readonly RecordKind<unknown>[];
  /**
   * Reads the inputs of the records with these keys by `read`, whose first call also reads the derived records, before
   * the inputs. Keys that have no inputs yet are omitted.
   */
  load(keys: readonly string[], read: ReadTogether): Promise<Map<string, Loaded<Facts>>>;
  /** The new body of each record, in the order of the cases; undefined leaves the current record unchanged. */
  decide(cases: readonly Case<Facts, Body>[]): Promise<readonly (Body | undefined)[]>;
  /**
   * For records that may lack an input made by another worker: whether one lacks it, and the function that orders it.
   * Such a record is stale although its inputs are unchanged, so that a lost order is repeated.
   */
  missing?: { isLacking(facts: Facts): boolean; order(facts: readonly Facts[], urgency: Urgency): Promise<void> };
  /**
   * Among these records, the keys of those whose files are no longer stored; absent if the records have no files. Such
   * a record is stale, although its inputs are unchanged.
   */
  findLost?(records: readonly Stored<Body>[]): Promise<readonly string[]>;
  /**
   * Whether a mark is newer than the stored one: only then is the mark alone enough to make a record stale. Two processes whose
   * marks are not newer than each other's leave the records unchanged. If absent, any different mark makes a record
   * stale.
   */
  isNewer?(mark: string, stored: string): boolean;
  /** Whether this change is written without publishing it. */
  isQuiet?(current: Body, next: Body): boolean;
  /**
   * True if every new rev of an input rewrites the record, so that its inputs show whether it is stale. If false, only
   * a new decision shows it: an unchanged design is not written (docs/rules.md#the-eleven-rules, 9).
   */
  keepsInputs: boolean;
}

export interface Case<Facts, Body> {
  key: string;
  facts: Facts;
  current: Stored<Body> | undefined;
}

export interface Derive {
  /** Derives the records of these keys again if an input has another rev. */
  derive<Facts, Body>(derivation: Derivation<Facts, Body>, keys: readonly string[], urgency: Urgency): Promise<void>;
  /** The keys of stale records: a new derivation would write them. Writes nothing. */
  findStale<Facts, Body>(derivation: Derivation<Facts, Body>, keys: readonly string[]): Promise<string[]>;
}

/**
 * Records that are derived together, and so in memory with their sources. A batch of items may have links by the hundred
 * thousand; each batch of these commits by itself.
 */
export const KEYS_PER_BATCH = 500;

interface Prepared<Facts, Body> extends Case<Facts, Body> {
  inputs: Input[];
  sources: readonly Source[];
}

/**
 * The only way to derive a record from others: reads the derived record, then its inputs, decides, commits, and
 * reads the revs of the written records' inputs again, until none has changed. Without that second read, an input that goes
 * A, B, A could leave B in the derived record forever: a handler that read the last A decides "unchanged" and writes
 * nothing, so the compare-and-set of a slower one that read B succeeds. A handler that writes nothing leaves
 * nothing wrong: an input that changes after its read publishes its own change
 * (docs/architecture/guarantees.md#derived-records-converge).
 */
export function createDerive({ records, commit }: { records: Records; commit: Commit }): Derive {
  async function prepare<Facts, Body>({ kind, from, load }: Derivation<Facts, Body>, keys: readonly string[]) {
    let derived: Map<string, Stored<Body>> | undefined;
    const read = async <const Reads extends readonly KeyedRead<never>[]>(reads: Reads) => {
      if (derived) return records.readTogether(reads);
      const [first, ...found] = await records.readTogether([{ kind, keys }, ...reads]);
      derived = first;
      return found as unknown as FoundTogether<Reads>;
    };
    const loaded = await load(keys, read);
    const present = derived;
    if (present === undefined) throw new Error(`the derivation of ${kind.name} reads its inputs by something else`);
    return [...loaded].map(([key, { facts, sources, mark }]): Prepared<Facts, Body> => {
      const undeclared = sources.find((source) => !from.includes(source.kind));
      if (undeclared)
        throw new Error(`${kind.name} is derived from ${undeclared.kind.name}, which its derivation does not name`);
      const read = sources.map(inputOfSource);
      const inputs = mark === undefined ? read : [...read, mark];
      return { key, facts, sources, inputs, current: present.get(key) };
    });
  }

  /** Records with changed inputs, with lost files, or that lack an input that must be made. */
  async function staleOf<Facts, Body>(
    { findLost, missing, isNewer }: Derivation<Facts, Body>,
    prepared: readonly Prepared<Facts, Body>[],
  ): Promise<Prepared<Facts, Body>[]> {
    const isUnchanged = ({ current, inputs }: Prepared<Facts, Body>) => isSame(current?.inputs, inputs, isNewer);
    const unchanged = findLost ? prepared.filter(isUnchanged).flatMap(({ current }) => current ?? []) : [];
    const lost = new Set(unchanged.length > 0 ? await findLost?.(unchanged) : []);
    const isLacking = ({ facts }: Prepared<Facts, Body>) => missing?.isLacking(facts) ?? false;
    return prepared.filter((one) => !isUnchanged(one) || lost.has(one.key) || isLacking(one));
  }

  /** The keys with an input whose rev has changed since `prepare` read it. */
  async function moved(prepared: readonly Prepared<unknown, unknown>[]): Promise<string[]> {
    const sources = prepared.flatMap(({ sources }) => sources);
    // All sources of one kind count alike.
    const reads = [...Map.groupBy(sources, ({ kind }) => kind)].map(([kind, group]): KeyedRead<unknown> => {
      return { kind, keys: group.map(({ key }) => key), fields: (group[0]?.values?.fields ?? []) as never[] };
    });
    const found = await records.readTogether(reads);
    const present = new Map(reads.map(({ kind }, index) => [kind, found[index]]));
    const isOther = ({ kind, key, rev, values }: Source) => {
      const now = present.get(kind)?.get(key);
      return values ? digestOf(now, values.fields) !== values.digest : (now?.rev ?? 0) !== rev;
    };
    return prepared.filter(({ sources }) => sources.some(isOther)).map(({ key }) => key);
  }

  async function deriveTogether<Facts, Body>(
    derivation: Derivation<Facts, Body>,
    keys: readonly string[],
    urgency: Urgency,
  ): Promise<void> {
    let open = keys;
    while (open.length > 0) {
      const prepared = await prepare(derivation, open);
      const stale = await staleOf(derivation, prepared);
      const bodies = await derivation.decide(stale);
      const decisions = stale.flatMap(({ key, current, inputs, sources }, index): Decision<Body>[] => {
        const body = bodies[index];
        if (body === undefined) return [];
        const quiet = current !== undefined && (derivation.isQuiet?.(current, body) ?? false);
        return [{ key, current, body, inputs, quiet, cause: newestCause(sources) }];
      });
      const { lost, written } = await commit.write(derivation.kind, decisions, urgency);
      const lacking = stale.map(({ facts }) => facts).filter((facts) => derivation.missing?.isLacking(facts));
      if (lacking.length > 0) await derivation.missing?.order(lacking, urgency);
      const isWritten = new Set(written.map(({ _id }) => _id));
      open = [...lost, ...(await moved(prepared.filter(({ key }) => isWritten.has(key))))];
    }
  }

  return {
    async derive(derivation, keys, urgency) {
      for (const batch of inBatches([...new Set(keys)], KEYS_PER_BATCH))
        await deriveTogether(derivation, batch, urgency);
    },

    async findStale(derivation, keys) {
      const prepared = await prepare(derivation, keys);
      const stale = await staleOf(derivation, prepared);
      if (derivation.keepsInputs || stale.length === 0) return stale.map(({ key }) => key);
      const bodies = await derivation.decide(stale);
      return stale.filter((_, index) => bodies[index] !== undefined).map(({ key }) => key);
    },
  };
}

/**
 * The cause of the newest source; revs are times. Not the cause of the change that triggered the derivation: a batch
 * already reads what later changes wrote, and a picture of their price must not be attributed to an earlier one.
 */
const newestCause = (sources: readonly Source[]): Cause | undefined =>
  sources.reduce<Source | undefined>((newest, source) => (source.rev > (newest?.rev ?? 0) ? source : newest), undefined)
    ?.cause;

function isSame(
  stored: readonly Input[] | undefined,
  inputs: readonly Input[],
  isNewer: (mark: string, stored: string) => boolean = () => true,
): boolean {
  return (
    stored?.length === inputs.length &&
    inputs.every((input, index) => {
      const before = stored[index] ?? "";
      return input === before || (isMark(input) && isMark(before) && !isNewer(input, before));
    })
  );
}

const isMark = (input: Input): boolean => partsOfInput(input) === undefined && partsOfValueInput(input) === undefined;
