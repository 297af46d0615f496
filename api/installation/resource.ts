import type { Static, TObject, TSchema } from "typebox";
import type { Commit } from "../../queues/changes/commit.ts";
import type { RecordKind } from "../../records/kind.ts";
import { type Records, readAll } from "../../records/records.ts";
import type { Fault } from "../../schemas/problem.ts";
import type { Stored } from "../../schemas/record.ts";
import { type RefusalNotice, refusalNotice } from "../../schemas/refusal-notice.ts";
import { compileCheck } from "../../schemas/validate.ts";
import { knownFields } from "../body/without-unknown-fields.ts";
import { ProblemError } from "../http/problem-error.ts";
import { assertFaultless, missing } from "../management/find-records.ts";

export interface InstallationWorld {
  records: Records;
  commit: Commit;
}

/** Throws if the state has changed since the caller read it. It is called inside the compare-and-set. */
export type AssertSeen<Shown> = (shown: Shown | undefined) => void;

/**
 * Handles one kind of resource that an operator sets up: decides on its orders and writes them, for every caller.
 * `owner` is the tenant's key, and empty for tenants themselves. A refusal is a ProblemError: `invalid-request` with
 * the faults, `not-found` or `conflict`.
 */
export interface Resource<Order, Shown extends object> {
  /** Noun for messages, such as `label type`. */
  readonly noun: string;
  /** The schemas of an id and of an order. */
  readonly id: TSchema;
  readonly order: TSchema;
  all(owner: string): Promise<Shown[]>;
  find(owner: string, id: string): Promise<Shown | undefined>;
  one(owner: string, id: string): Promise<Shown>;
  /** Throws the reason why the order cannot be put, such as structural faults; writes nothing. */
  check(owner: string, id: string, order: Order): Promise<void>;
  /** Creates or replaces the resource. Fields outside the order's schema are dropped. */
  put(owner: string, id: string, order: Order, assertSeen?: AssertSeen<Shown>): Promise<Shown>;
  remove(owner: string, id: string, assertSeen?: AssertSeen<Shown>): Promise<void>;
}

/** A kind of resource: how it is stored and shown, and what prevents it from being put or removed. */
export interface Definition<Body, Order, Shown, Made = undefined> {
  kind: RecordKind<Body>;
  noun: string;
  id: TSchema;
  order: TSchema;
  keyOf(owner: string, id: string): string;
  /**
   * Returns what a put requires in addition to its order, such as a new secret. Called before the write, which may be
   * decided twice.
   */
  make?(order: Order, owner: string): Promise<Made>;
  /** Returns the record for an order, new or based on the current one. */
  bodyOf(order: Order, id: string, current: Stored<Body> | undefined, made: Made): Body;
  /** Fields that only the response to this put contains: a secret that was generated for it. */
  shownOnce?(record: Stored<Body>, order: Order, made: Made): Partial<Shown>;
  /** Whether a record belongs to the owner, if its key does not show it. */
  isOf?(record: Stored<Body>, owner: string): boolean;
  answerOf(record: Stored<Body>): Shown;
  /** The maximum number of resources, and their owner. */
  limit(): { most: number; of: string };
  /** Faults that a schema cannot express. */
  faultsOf?(order: Order, owner: string, id: string): Fault[] | Promise<Fault[]>;
  /** Returns why the current record may not be changed to the order; undefined if it may. */
  whyKept?(order: Order, current: Stored<Body>, owner: string): Promise<string | undefined>;
  /** Returns why the record may not be removed, as a notice if pages show it; undefined if it may. */
  whyInUse?(record: Stored<Body>, owner: string): Promise<string | RefusalNotice | undefined>;
  /** Deletes dependent records first. */
  removeParts?(record: Stored<Body>): Promise<void>;
}

export function createResource<Body, Order, Shown extends object, Made = undefined>(
  { records, commit }: InstallationWorld,
  definition: Definition<Body, Order, Shown, Made>,
): Resource<Order, Shown> {
  const { kind, noun, keyOf, bodyOf, answerOf, limit, isOf = () => true } = definition;
  const checkId = compileCheck(definition.id);
  const checkOrder = compileCheck(definition.order);

  async function read(owner: string, id: string): Promise<Stored<Body> | undefined> {
    const key = keyOf(owner, id);
    return (await records.read(kind, [key])).get(key);
  }

  async function readOwn(owner: string, id: string): Promise<Stored<Body> | undefined> {
    const record = await read(owner, id);
    return record && isOf(record, owner) ? record : undefined;
  }

  const allOf = async (owner: string) =>
    (await readAll(records, kind, keyOf(owner, ""))).filter((record) => isOf(record, owner));

  const countOf = async (owner: string): Promise<number> =>
    definition.isOf ? (await allOf(owner)).length : records.count(kind, keyOf(owner, ""));

  async function find(owner: string, id: string): Promise<Shown | undefined> {
    const record = await readOwn(owner, id);
    return record && answerOf(record);
  }

  function assertOwn(record: Stored<Body> | undefined, owner: string, id: string): void {
    if (record === undefined || isOf(record, owner)) return;
    throw new ProblemError("conflict", refusalNotice("ID_TAKEN", { id, noun }));
  }

  async function check(owner: string, id: string, order: Order): Promise<void> {
    assertFaultless(checkId(id), `id "${id}" of the ${noun}`);
    assertFaultless(checkOrder(order));
    assertFaultless((await definition.faultsOf?.(order, owner, id)) ?? []);
    const current = await read(owner, id);
    assertOwn(current, owner, id);
    const refusal = current
      ? await definition.whyKept?.(order, current, owner)
      : limitNotice(noun, limit(), await countOf(owner));
    if (refusal !== undefined) throw new ProblemError("conflict", refusal);
  }

  return {
    noun,
    id: definition.id,
    order: definition.order,
    find,
    check,
    all: async (owner) => (await allOf(owner)).map(answerOf),

    async one(owner, id) {
      const found = await find(owner, id);
      if (found === undefined) throw missing(noun, id);
      return found;
    },

    async put(owner, id, order, assertSeen = () => {}) {
      await check(owner, id, order);
      const known = knownFields(definition.order, order) as Order;
      const made = (await definition.make?.(known, owner)) as Made;
      const key = keyOf(owner, id);
      const save = (_: string, current: Stored<Body> | undefined): Body => {
        assertOwn(current, owner, id);
        assertSeen(current && answerOf(current));
        return bodyOf(known, id, current, made);
      };
      const saved = (await commit.change(kind, [key], save, "interactive")).get(key) ?? (await read(owner, id));
      if (saved === undefined) throw missing(noun, id);
      return { ...answerOf(saved), ...definition.shownOnce?.(saved, known, made) };
    },

    async remove(owner, id, assertSeen = () => {}) {
      for (;;) {
        const record = await readOwn(owner, id);
        if (record === undefined) throw missing(noun, id);
        assertSeen(answerOf(record));
        const refusal = await definition.whyInUse?.(record, owner);
        if (refusal !== undefined) throw new ProblemError("conflict", refusal);
        await definition.removeParts?.(record);
        // Another writer may have changed it in the meantime; it is then checked again.
        if ((await records.remove(kind, [{ key: record._id, rev: record.rev }])) > 0) return;
      }
    },
  };
}

/**
 * Returns the fields of a record that a schema names, in the schema's order, because entity tags are computed from the
 * text and storing a record changes the order of its fields.
 */
export const shownFields = <S extends TObject>(schema: S, record: Static<S>): Static<S> =>
  Object.fromEntries(
    Object.keys(schema.properties).flatMap((name) => {
      const value = (record as Record<string, unknown>)[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ) as Static<S>;

const limitNotice = (
  noun: string,
  { most, of: owner }: { most: number; of: string },
  present: number,
): RefusalNotice | undefined =>
  present < most ? undefined : refusalNotice("LIMIT_REACHED", { owner, most, noun, present });
