import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "typebox";
import { fieldOf } from "./fields.ts";

export type Json = Record<string, unknown>;

/** The schemas of a document: one that has a title stands among the components, once, and is referred to. */
export interface Components {
  refer(schema: TSchema): Json;
  /** In order of their names, so that the document does not depend on which operation came first. */
  schemas(): Json;
}

interface Cyclic {
  $defs: Record<string, Json>;
  $ref: string;
}

const listsOfSchemas = ["anyOf", "oneOf", "allOf", "prefixItems"];
const mapsOfSchemas = ["properties", "patternProperties", "$defs"];
const singleSchemas = ["items", "additionalProperties", "propertyNames", "not", "contains", "if", "then", "else"];

/** Formats of our own, in words of others. An empty `local-date-time` leaves a field alone, like every empty text. */
const formats: Readonly<Record<string, Json>> = {
  "local-date-time": {
    pattern: "^([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])?$",
  },
  instant: { format: "date-time", pattern: "Z$" },
};

export function createComponents(): Components {
  const known: Record<string, Json> = {};

  /** A schema as JSON, in words that every validator reads alike. */
  function show(schema: Json, owner = ""): Json {
    if (schema.$defs !== undefined) return showCyclic(schema as unknown as Cyclic);
    const { title, type, ...rest } = schema;
    if (typeof title !== "string" || rest.contentMediaType !== undefined) return showOpen(schema, owner);
    const types = [type].flat();
    // A field that may be null refers to the same component as one that may not.
    if (types.length > 1 && types.includes("null")) {
      const [only, ...others] = types.filter((one) => one !== "null");
      const plain = show({ ...rest, title, type: others.length === 0 ? only : [only, ...others] });
      return { anyOf: [plain, { type: "null" }] };
    }
    const shown = showOpen(type === undefined ? rest : { type, ...rest }, title);
    const other = known[title];
    if (other !== undefined && !isDeepStrictEqual(other, shown))
      throw new Error(`two different schemas have the title "${title}"`);
    known[title] = shown;
    return { $ref: `#/components/schemas/${title}` };
  }

  /** A schema that holds itself stands among the components under its own name, and refers to that. */
  function showCyclic({ $defs, $ref }: Cyclic): Json {
    for (const [name, { $id: _, ...one }] of Object.entries($defs)) known[name] ??= showOpen(one, name);
    return { $ref: `#/components/schemas/${$ref}` };
  }

  function showOpen(schema: Json, owner: string): Json {
    // How Ajv words a fault is nothing that a reader of the document needs.
    const { errorMessage: _, pattern, format, ...rest } = schema;
    const shown = Object.fromEntries(
      Object.entries(rest).map(([keyword, value]) => showKeyword(keyword, value, owner)),
    );
    const isText = Array.isArray(rest.enum) && rest.enum.every((one) => typeof one === "string");
    const portable = typeof pattern === "string" ? portablePattern(pattern) : undefined;
    return {
      ...(isText && rest.type === undefined && { type: "string" }),
      ...shown,
      ...(portable !== undefined && { pattern: portable }),
      ...(typeof format === "string" && (formats[format] ?? { format })),
    };
  }

  function showKeyword(keyword: string, value: unknown, owner: string): [string, unknown] {
    if (keyword === "$ref") return [keyword, `#/components/schemas/${value}`];
    if (listsOfSchemas.includes(keyword)) return [keyword, (value as Json[]).map((one) => show(one, owner))];
    if (singleSchemas.includes(keyword) && typeof value === "object") return [keyword, show(value as Json, owner)];
    if (!mapsOfSchemas.includes(keyword)) return [keyword, value];
    const entries = Object.entries(value as Record<string, Json>);
    return [
      keyword,
      Object.fromEntries(entries.map(([name, one]) => [name, withMeaning(name, show(one, owner), owner)])),
    ];
  }

  const withMeaning = (name: string, shown: Json, owner: string): Json => {
    const { means } = fieldOf(name, owner);
    return means === undefined || "description" in shown || "$ref" in shown ? shown : { ...shown, description: means };
  };

  return {
    refer: (schema) => show(schema as Json),
    schemas: () => Object.fromEntries(Object.entries(known).sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/**
 * A pattern that other engines read as Ajv does: `\d` is more than ten digits for some, `\u` is unknown to others, and
 * those that see UTF-16 would refuse every character beyond the first plane for `\ud800-\udfff`. That texts hold no
 * half of a surrogate pair is told in words; undefined where nothing else was asked.
 */
export function portablePattern(pattern: string): string | undefined {
  const portable = pattern
    .replaceAll("\\ud800-\\udfff", "")
    .replace(/\\u00([0-9a-f]{2})/gi, "\\x$1")
    .replace(/\[[^\]]*\]|\\d/g, (part) => (part === "\\d" ? "[0-9]" : part.replaceAll("\\d", "0-9")));
  return portable === "^[^]*$" ? undefined : portable;
}
