import test from "ava";
import { createRoutes, type RoutesWorld } from "../../api/routes.ts";
import type { Shape } from "../../schemas/length-faults.ts";

/** The lists, maps and strings in a schema that have no limit, each with its path. */
function unbounded(shape: Shape, at: string, seen = new Set<Shape>()): string[] {
  if (seen.has(shape)) return [];
  seen.add(shape);
  const { type, items, anyOf = [], properties = {}, $defs = {} } = shape;
  const { additionalProperties, enum: choices, const: choice, pattern, format } = shape as Record<string, unknown>;
  const types = [type ?? []].flat();
  const isText = types.includes("string") && !choices && !choice && !format && !/\{\d+(,\d+)?\}/.test(String(pattern));
  return [
    ...(items && shape.maxItems === undefined ? [`${at}: a list`] : []),
    ...(typeof additionalProperties === "object" && shape.maxProperties === undefined ? [`${at}: a map`] : []),
    ...(isText && shape.maxLength === undefined ? [`${at}: a text`] : []),
    ...(items ? unbounded(items, `${at}/*`, seen) : []),
    // Alternatives next to properties only state which of the properties are required.
    ...(shape.properties ? [] : anyOf).flatMap((form) => unbounded(form, at, seen)),
    ...Object.entries({ ...properties, ...$defs }).flatMap(([name, inner]) => unbounded(inner, `${at}/${name}`, seen)),
  ];
}

test("every list, map and string in every operation's body has a limit", (t) => {
  const bodies = createRoutes({ linkSingle: {}, management: {} } as RoutesWorld).flatMap(({ operationId, body }) =>
    body ? [{ operationId, body }] : [],
  );
  t.true(bodies.length > 20);
  t.deepEqual(
    bodies.flatMap(({ operationId, body }) => unbounded(body as Shape, operationId)),
    [],
  );
});
