import type { TObject } from "typebox";
import type { Fault } from "../../schemas/problem.ts";
import { unknownFields } from "../../schemas/unknown-fields.ts";
import type { Route } from "../http/route.ts";

type Checked = Pick<Route, "of" | "body" | "namesUnknownFields" | "method" | "answers">;

/**
 * Finds unknown fields in the body of a management operation, since a misspelt one would otherwise be ignored silently.
 * Fields that only responses contain may be sent back. Bodies of a store's interface may have additional fields.
 */
export function unknownFieldsIn(
  { of, body: schema, namesUnknownFields, method, answers }: Checked,
  body: unknown,
): Fault[] {
  if (of === undefined || schema === undefined || namesUnknownFields) return [];
  const shown = method === "PUT" ? ((answers[200] as Partial<TObject> | undefined)?.properties ?? {}) : {};
  return unknownFields(
    schema,
    body,
    Object.keys(shown).map((name) => `/${name}`),
  );
}
