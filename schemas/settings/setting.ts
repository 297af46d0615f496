import { type TSchema, Type } from "typebox";

/** A setting: its form, its meaning and its default. */
export interface Setting {
  schema: TSchema;
  means: string;
  /** The valid values in words, as they follow "must be". */
  right?: string;
  /** An additional check of a value that has the right format; if absent, every such value is valid. */
  isRight?(value: string): boolean;
  initial?: string | number;
  /** May be absent, which has its own meaning. */
  optional?: true;
  /** Its value is never shown. */
  secret?: true;
}

/** Any non-empty string. */
export const text = Type.String({ minLength: 1 });
/** A string in a given format, with the message that says what to write instead. */
export const matching = (pattern: string, errorMessage: string) => Type.String({ pattern, errorMessage });
/** The URL of a server. */
export const url = matching("^https?://[^/]", 'must be a URL such as "https://example.com"');
/** A port. */
export const port = Type.Integer({ minimum: 1, maximum: 65_535 });
/** A number of things that run at the same time. */
export const count = Type.Integer({ minimum: 1, maximum: 1000 });
/** A period in days. */
export const days = Type.Integer({ minimum: 1, maximum: 36_500 });
/** A period in seconds. */
export const seconds = Type.Integer({ minimum: 1 });
/** Calls per second; 0: unlimited. */
export const rate = Type.Integer({ minimum: 0, maximum: 1_000_000 });
