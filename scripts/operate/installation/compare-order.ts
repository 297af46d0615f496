import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "typebox";
import { knownFields } from "../../../api/body/without-unknown-fields.ts";
import type { Fault } from "../../../schemas/problem.ts";
import { unknownFields } from "../../../schemas/unknown-fields.ts";
import { compileCheck } from "../../../schemas/validate.ts";
import type { AnyResource } from "./nouns.ts";

/** The effect of putting an order. */
export type Effect = "make" | "change" | "keep";

/** Returns what putting an order would do to the current state. A response contains every field that an order sets. */
export function effectOf(schema: TSchema, order: object, shown: object | undefined): Effect {
  if (shown === undefined) return "make";
  return isDeepStrictEqual(knownFields(schema, shown), knownFields(schema, order)) ? "keep" : "change";
}

/** Returns the faults of an id and of the form of an order. An unknown field is a fault, because a file has no use for it. */
export function formFaults({ id: idSchema, order: schema }: AnyResource, id: string, order: unknown): Fault[] {
  const faults = [...compileCheck(idSchema)(id), ...compileCheck(schema)(order)];
  return faults.length > 0 ? faults : unknownFields(schema, order);
}
