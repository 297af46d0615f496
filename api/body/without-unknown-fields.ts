import type { Static, TSchema } from "typebox";

interface Shape {
  properties?: Record<string, Shape>;
  additionalProperties?: unknown;
  items?: Shape;
}

/**
 * Returns a valid value without the fields that its schema does not name. Clients may send extra fields; they are not
 * journaled.
 */
export function knownFields<S extends TSchema>(schema: S, value: unknown): Static<S> {
  return strip(schema as Shape, value) as Static<S>;
}

function strip({ properties, additionalProperties, items }: Shape, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((entry) => strip(items, entry)) : value;
  const isOpen = properties === undefined || typeof additionalProperties === "object";
  if (typeof value !== "object" || value === null || isOpen) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return shape ? [[name, strip(shape, field)]] : [];
    }),
  );
}
