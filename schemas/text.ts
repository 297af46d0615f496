import { type Static, type TSchema, Type } from "typebox";

/** No control characters: what ids and property keys hold must survive logs, headers and terminals. */
const NO_CONTROL = "^[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$";
/** No half of a surrogate pair: the database would store another character in its place. */
export const WELL_FORMED = "^[^\\ud800-\\udfff]*$";

/** An id of the caller's: case matters, nothing is trimmed, leading zeros stay. */
export const identifier = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: NO_CONTROL, description });

/** An id that becomes part of a key and of an address: of tenants, stores, and what a tenant owns (design, section 3). */
export const plainId = (description?: string) =>
  Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$", ...(description !== undefined && { description }) });

/**
 * A field that a caller may leave away, or send as null; both leave the stored value alone.
 * One `type` list instead of a union keeps one wrong value at one fault.
 */
export function clearless<S extends TSchema>(schema: S) {
  const { type } = schema as unknown as { type: string };
  return Type.Optional(Type.Unsafe<Static<S> | null>({ ...schema, type: [type, "null"] }));
}

/** Like `clearless`, without control characters, for texts that serve as names inside Shelfwire. */
export const clearlessIdentifier = (maxLength: number, description: string) =>
  clearless(Type.String({ maxLength, pattern: NO_CONTROL, description }));

/** A field of an answer: present in every projection that has it, null where it is unknown. */
export const known = <S extends TSchema>(schema: S) => {
  const { type } = schema as unknown as { type: string };
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, "null"] });
};
