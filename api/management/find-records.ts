import type { RecordKind } from "../../records/kind.ts";
import { type Records, readAll } from "../../records/records.ts";
import type { Fault } from "../../schemas/problem.ts";
import type { Stored } from "../../schemas/record.ts";
import { refusalNotice } from "../../schemas/refusal-notice.ts";
import { ProblemError } from "../http/problem-error.ts";

/** A record kind with few records per tenant, with its name and key in the management interface. */
export interface Resource<Body> {
  kind: RecordKind<Body>;
  /** Noun for messages, such as `design`. */
  noun: string;
  keyOf(tenant: string, id: string): string;
}

/** Reads a tenant's records of one kind, without deleted ones. `one` throws a 404 if there is none. */
export function createFinder<Body>(records: Records, { kind, noun, keyOf }: Resource<Body>) {
  return {
    async all(tenant: string): Promise<Stored<Body>[]> {
      return (await readAll(records, kind, keyOf(tenant, ""))).filter((record) => kind.isAlive(record));
    },
    /** Throws a 409 if the record does not exist yet and the tenant already has `limit` records. */
    async assertRoom(tenant: string, id: string, limit: number): Promise<void> {
      // The record kind with the field that marks deleted records.
      const marked = kind as RecordKind<{ deleted?: unknown }>;
      let present = 0;
      for await (const batch of records.scanFields(marked, keyOf(tenant, ""), ["deleted"])) {
        const alive = batch.filter((record) => marked.isAlive(record));
        if (alive.some(({ _id }) => _id === keyOf(tenant, id))) return;
        present += alive.length;
      }
      if (present >= limit) throw tooMany(noun, present, limit);
    },
    async one(tenant: string, id: string): Promise<Stored<Body>> {
      const key = keyOf(tenant, id);
      const found = (await records.read(kind, [key])).get(key);
      if (found === undefined || !kind.isAlive(found)) throw missing(noun, id);
      return found;
    },
  };
}

/** The 409 for a tenant that has reached the maximum number of records, so one must be removed first. */
const tooMany = (noun: string, present: number, limit: number): ProblemError =>
  new ProblemError("conflict", refusalNotice("LIMIT_REACHED", { owner: "A tenant", most: limit, noun, present }));

/** The 404 for a record that does not exist. */
export const missing = (noun: string, id: string): ProblemError =>
  new ProblemError("not-found", `The ${noun} "${id}" does not exist.`);

/** Throws `invalid-request` if there are faults that a schema cannot express. */
export function assertFaultless(errors: readonly Fault[], what = "body"): void {
  if (errors.length === 0) return;
  const text = `The ${what} has ${errors.length} fault${errors.length > 1 ? "s" : ""}.`;
  throw new ProblemError("invalid-request", text, { errors });
}
