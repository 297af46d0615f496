import { digestOf, inputOf, partsOfInput, partsOfValueInput } from "../../records/kind.ts";
import type { FoundTogether, KeyedRead } from "../../records/read-together.ts";
import type { Records } from "../../records/records.ts";
import type { Cause } from "../../schemas/cause.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import type { Input, Stored } from "../../schemas/record.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Commit } from "./commit.ts";
import type { Decision } from "./decision.ts";
import {
  type Absent,
  type Case,
  type Derivation,
  type Following,
  inputOfSource,
  inputsSetBack,
  type Source,
} from "./derivation.ts";

export interface Derive {
  /** Derives the stale records among these keys again. */
  derive<Facts, Body>(derivation: Derivation<Facts, Body>, keys: readonly string[], urgency: Urgency): Promise<void>;
  /** Returns the keys of stale records, which a new derivation would write. Writes nothing. */
  findStale<Facts, Body>(derivation: Derivation<Facts, Body>, keys: readonly string[]): Promise<string[]>;
}

/**
 * Number of records that are derived together. They and their sources are in memory at the same time. A batch of items may have
 * hundreds of thousands of links; each batch of links commits separately.
 */
export const KEYS_PER_BATCH = 500;

interface Prepared<Facts, Body> extends Case<Facts, Body> {
  inputs: Input[];
  sources: readonly Source[];
  /** The record of the next stage, also read before the inputs. */
  following: Stored<unknown> | undefined;
}

/**
 * The only way to derive a record from others. Reads the derived record, then its inputs, decides, and commits. Then rereads
 * the inputs that the write may have set back (`inputsSetBack`), until none has changed. A record that does not keep its inputs
 * is derived again until nothing is written. Without that second read, an input that goes A, B, A could leave B in the derived
 * record forever: a handler that read the last A decides "unchanged" and writes nothing, so the compare-and-set of a slower
 * handler that read B succeeds. A handler that writes nothing does no harm: an input that changes after its read publishes its
 * own change (docs/architecture/guarantees.md#derived-records-converge).
 */
export function createDerive({ records, commit }: { records: Records; commit: Commit }): Derive {
  async function prepare<Facts, Body>({ kind, from, load, next }: Derivation<Facts, Body>, keys: readonly string[]) {
    let derived: Map<string, Stored<Body>> | undefined;
    let following: Map<string, Stored<unknown>> | undefined;
    const read = async <const Reads extends readonly KeyedRead<never>[]>(reads: Reads) => {
      if (derived) return records.readTogether(reads);
      const ofNext = { kind: next?.kind ?? kind, keys: next ? keys.map(next.keyOf) : [] };
      const [first, second, ...found] = await records.readTogether([{ kind, keys }, ofNext, ...reads]);
      derived = first;
      following = second;
      return found as unknown as FoundTogether<Reads>;
    };
    const followingOf = (key: string) => following?.get(next?.keyOf(key) ?? "");
    const madeFromPresent = (key: string) => {
      const record = followingOf(key);
      return isSame(record?.inputs, [inputOf(kind, key, derived?.get(key)?.rev ?? 0)]) ? record : undefined;
    };
    const loaded = await load(keys, read, madeFromPresent);
    const present = derived;
    if (present === undefined)
      throw new Error(`the derivation of ${kind.name} does not read its inputs with the given function`);
    return [...loaded].map(([key, { facts, sources, mark }]): Prepared<Facts, Body> => {
      const undeclared = sources.find((source) => !from.includes(source.kind));
      if (undeclared)
        throw new Error(`${kind.name} is derived from ${undeclared.kind.name}, which its derivation does not name`);
      const read = sources.map(inputOfSource);
      const inputs = mark === undefined ? read : [...read, mark];
      return {
        key,
        facts,
        sources,
        inputs,
        current: present.get(key),
        following: followingOf(key),
      };
    });
  }

  /** Returns the records whose inputs have changed, whose files are lost, or that lack an input that must be made. */
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

  /** Rereads only the compared fields of these records; returns a function that looks up a record. */
  async function readPresent(wanted: readonly Pick<Source, "kind" | "key" | "values">[]) {
    // All sources of one kind use the same fields.
    const reads = [...Map.groupBy(wanted, ({ kind }) => kind)].map(([kind, group]): KeyedRead<unknown> => {
      return { kind, keys: group.map(({ key }) => key), fields: (group[0]?.values?.fields ?? []) as never[] };
    });
    const found = await records.readTogether(reads);
    const present = new Map(reads.map(({ kind }, index) => [kind, found[index]]));
    return ({ kind, key }: Absent) => present.get(kind)?.get(key);
  }

  /**
   * Returns the keys of written records to derive again because the write may have set back an input that has changed since
   * `prepare` read it. If a record does not keep its inputs, a handler that left it unchanged may have read inputs other than
   * the stored ones. So all its inputs must be read again, together with its mark, which only `load` can compute.
   */
  async function moved<Facts, Body>(
    { keepsInputs }: Derivation<Facts, Body>,
    written: readonly Prepared<Facts, Body>[],
  ): Promise<string[]> {
    if (!keepsInputs) return written.map(({ key }) => key);
    const looked = written.map(({ key, sources, current }) => ({
      key,
      sources: inputsSetBack(sources, current?.inputs),
    }));
    const presentOf = await readPresent(looked.flatMap((one) => one.sources));
    const isOther = ({ kind, key, rev, values }: Source) => {
      const now = presentOf({ kind, key });
      return values ? digestOf(now, values.fields) !== values.digest : (now?.rev ?? 0) !== rev;
    };
    return looked.filter((one) => one.sources.some(isOther)).map(({ key }) => key);
  }

  /** Returns a function that finds the prepared keys for which a record that `prepare` found absent now exists. */
  const findOvertaken =
    <Facts, Body>({ absent }: Following<Facts, Body>, prepared: readonly Prepared<Facts, Body>[]) =>
    async (keys: readonly string[]): Promise<ReadonlySet<string>> => {
      const isAsked = new Set(keys);
      const asked = prepared.filter(({ key }) => isAsked.has(key));
      const presentOf = await readPresent(asked.flatMap(({ facts }) => absent(facts)));
      return new Set(asked.filter(({ facts }) => absent(facts).some(presentOf)).map(({ key }) => key));
    };

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
      const decisions = stale.flatMap((one, index): Decision<Body, unknown>[] => {
        const { key, current, inputs, sources } = one;
        const body = bodies[index];
        if (body === undefined) return [];
        const quiet = current !== undefined && (derivation.isQuiet?.(current, body) ?? false);
        const cause = newestCause(sources);
        return [{ key, current, body, inputs, quiet, cause, next: nextOf(derivation, one, body, cause) }];
      });
      const next = derivation.next && { ...derivation.next, findOvertaken: findOvertaken(derivation.next, stale) };
      const { lost, written } = await commit.write(derivation.kind, decisions, urgency, next);
      const lacking = stale.map(({ facts }) => facts).filter((facts) => derivation.missing?.isLacking(facts));
      if (lacking.length > 0) await derivation.missing?.order(lacking, urgency);
      const isWritten = new Set(written.map(({ _id }) => _id));
      open = [
        ...lost,
        ...(await moved(
          derivation,
          prepared.filter(({ key }) => isWritten.has(key)),
        )),
      ];
    }
  }

  return {
    async derive(derivation, keys, urgency) {
      for (const batch of inBatches([...new Set(keys)], KEYS_PER_BATCH))
        await deriveTogether(derivation, batch, urgency);
    },

    async findStale(derivation, keys) {
      const { next: _, ...alone } = derivation;
      const prepared = await prepare(alone, keys);
      const stale = await staleOf(derivation, prepared);
      if (derivation.keepsInputs || stale.length === 0) return stale.map(({ key }) => key);
      const bodies = await derivation.decide(stale);
      return stale.filter((_, index) => bodies[index] !== undefined).map(({ key }) => key);
    },
  };
}

/** Decides the record of the next stage, if that record depends only on this one. */
function nextOf<Facts, Body>(
  { kind, next }: Derivation<Facts, Body>,
  { key, facts, following }: Prepared<Facts, Body>,
  body: Body,
  cause: Cause | undefined,
): Decision<Body, unknown>["next"] {
  const decided = next?.decide(facts, body);
  if (next === undefined || decided === undefined) return undefined;
  const quiet = following !== undefined && next.isQuiet(following, decided);
  const decision = { key: next.keyOf(key), current: following, body: decided, quiet, cause };
  return (rev) => ({ ...decision, inputs: [inputOf(kind, key, rev)] });
}

/**
 * Returns the cause of the newest source; revs are times. It may differ from the cause of the change that triggered the
 * derivation: a batch already reads what later changes wrote, and a picture with a later change's price must not be attributed to
 * an earlier change.
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
