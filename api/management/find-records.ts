import type { RecordKind, Stored } from "../../records/kind.ts";
import { type Records, readAll } from "../../records/records.ts";
import type { Fault } from "../../schemas/problem.ts";
import { ProblemError } from "../http/problem-error.ts";

/** A kind of which a tenant has few, as the interface knows it. */
export interface Resource<Body> {
  kind: RecordKind<Body>;
  /** What one is called, such as `design`. */
  noun: string;
  keyOf(tenant: string, id: string): string;
}

/** The present records of a tenant's resource; what was deleted is not there. */
export function createFinder<Body>(records: Records, { kind, noun, keyOf }: Resource<Body>) {
  return {
    async all(tenant: string): Promise<Stored<Body>[]> {
      return (await readAll(records, kind, keyOf(tenant, ""))).filter((one) => kind.isAlive(one));
    },
    async one(tenant: string, id: string): Promise<Stored<Body>> {
      const key = keyOf(tenant, id);
      const found = (await records.read(kind, [key])).get(key);
      if (found === undefined || !kind.isAlive(found)) throw missing(noun, id);
      return found;
    },
  };
}

export const missing = (noun: string, id: string): ProblemError =>
  new ProblemError("not-found", `There is no ${noun} "${id}".`);

/** Refuses faults of a body, or of what it holds, that its schema cannot see. */
export function assertFaultless(errors: readonly Fault[], what = "body"): void {
  if (errors.length === 0) return;
  const text = `The ${what} has ${errors.length} fault${errors.length > 1 ? "s" : ""}.`;
  throw new ProblemError("invalid-request", text, { errors });
}
