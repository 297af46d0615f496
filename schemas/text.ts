import { type Static, type TSchema, Type } from "typebox";

/** No control characters, so that ids and property keys are safe in logs, headers and terminals. */
const NO_CONTROL = "^[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$";
/** No unpaired surrogates, which MongoDB would store as another character. */
const WELL_FORMED = "^[^\\ud800-\\udfff]*$";
/** Patterns, each with the message for a string that does not match. The message never contains the pattern itself. */
const noControl = { pattern: NO_CONTROL, errorMessage: "must not contain control characters or unpaired surrogates" };
export const wellFormed = { pattern: WELL_FORMED, errorMessage: "must not contain unpaired surrogates" };

/**
 * An id that the caller chooses. It is compared exactly: it is case-sensitive, not trimmed, and keeps leading zeros.
 */
export const identifier = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, ...noControl, description });

/** An id that is part of keys and URLs, such as a store's (docs/architecture/records.md#addresses-and-keys). */
export const plainId = (description?: string) =>
  Type.String({
    pattern: "^[A-Za-z0-9_-]{1,64}$",
    errorMessage: "must consist of 1 to 64 letters A to Z, digits, _ or -",
    ...(description !== undefined && { description }),
  });

/**
 * A field that may be absent or null; both leave the stored value unchanged. A list of `type`s instead of a union
 * yields one fault for one invalid value.
 */
export function clearless<S extends TSchema>(schema: S) {
  const { type } = schema as unknown as { type: string };
  return Type.Optional(Type.Unsafe<Static<S> | null>({ ...schema, type: [type, "null"] }));
}

/** Like `clearless`, without control characters, for strings that are used as names. */
export const clearlessIdentifier = (maxLength: number, description: string) =>
  clearless(Type.String({ maxLength, ...noControl, description }));

/** A field of a response that is always present, and null if unknown. */
export const known = <S extends TSchema>(schema: S) => {
  const { type } = schema as unknown as { type: string };
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, "null"] });
};

/** A time in a response. */
export const dateText = (description: string) =>
  Type.String({ description: `${description}, in ISO 8601`, examples: ["2026-03-02T10:00:00.000+01:00"] });

/** A number of things, in a response. */
export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A time of day by the store's clock. */
export const timeOfDay = (description: string, example: string) =>
  Type.String({
    maxLength: 5,
    pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
    errorMessage: 'must be a time of day such as "22:00"',
    description,
    examples: [example],
  });
