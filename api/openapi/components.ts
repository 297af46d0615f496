import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "typebox";
import { fieldOf } from "./fields.ts";

export type Json = Record<string, unknown>;

/** Collects a document's schemas: a schema with a title becomes a component, to which all uses refer. */
export interface Components {
  refer(schema: TSchema): Json;
  /** Sorted by name, so that the document does not depend on the order of the operations. */
  schemas(): Json;
}

interface Cyclic {
  $defs: Record<string, Json>;
  $ref: string;
}

const listsOfSchemas = ["anyOf", "oneOf", "allOf", "prefixItems"];
const mapsOfSchemas = ["properties", "patternProperties", "$defs"];
const singleSchemas = ["items", "additionalProperties", "propertyNames", "not", "contains", "if", "then", "else"];

/**
 * Shelfwire's formats in standard keywords. An empty `local-date-time` is valid: like every empty string, it changes nothing.
 */
const formats: Readonly<Record<string, Json>> = {
  "local-date-time": {
    pattern: "^([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])?$",
  },
  instant: { format: "date-time", pattern: "Z$" },
};

export function createComponents(): Components {
  const known: Record<string, Json> = {};

  /** A schema as JSON, in keywords that every validator interprets alike. */
  function show(schema: Json, owner = ""): Json {
    if (schema.$defs !== undefined) return showCyclic(schema as unknown as Cyclic);
    const { title, type, ...rest } = schema;
    if (typeof title !== "string" || rest.contentMediaType !== undefined) return showOpen(schema, owner);
    const types = [type].flat();
    // A nullable field refers to the same component as a field that is not nullable.
    if (types.length > 1 && types.includes("null")) {
      const [only, ...others] = types.filter((name) => name !== "null");
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

  /** A recursive schema becomes a component under the name of its $ref, and refers to itself by that name. */
  function showCyclic({ $defs, $ref }: Cyclic): Json {
    for (const [name, { $id: _, ...definition }] of Object.entries($defs)) known[name] ??= showOpen(definition, name);
    return { $ref: `#/components/schemas/${$ref}` };
  }

  function showOpen(schema: Json, owner: string): Json {
    // errorMessage and wrapper are Shelfwire's own keywords, not JSON Schema's.
    const { errorMessage: _, wrapper: __, shownAs, pattern, format, ...rest } = schema;
    // The validator receives a number in a path as text.
    if (shownAs !== undefined)
      return { ...(shownAs as Json), ...(rest.description !== undefined && { description: rest.description }) };
    const shown = Object.fromEntries(
      Object.entries(rest).map(([keyword, value]) => showKeyword(keyword, value, owner)),
    );
    const isText = Array.isArray(rest.enum) && rest.enum.every((value) => typeof value === "string");
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
    if (listsOfSchemas.includes(keyword)) return [keyword, (value as Json[]).map((schema) => show(schema, owner))];
    if (singleSchemas.includes(keyword) && typeof value === "object") return [keyword, show(value as Json, owner)];
    if (!mapsOfSchemas.includes(keyword)) return [keyword, value];
    const entries = Object.entries(value as Record<string, Json>);
    return [
      keyword,
      Object.fromEntries(entries.map(([name, schema]) => [name, withMeaning(name, show(schema, owner), owner)])),
    ];
  }

  const withMeaning = (name: string, shown: Json, owner: string): Json => {
    const { means } = fieldOf(name, owner);
    return means === undefined || "description" in shown || "$ref" in shown ? shown : { ...shown, description: means };
  };

  return {
    refer: (schema) => show(schema as Json),
    schemas: () => Object.fromEntries(Object.entries(known).sort(([name], [other]) => (name < other ? -1 : 1))),
  };
}

/**
 * Converts a pattern so that other engines interpret it as Ajv does. In some engines, `\d` matches more than the ten
 * ASCII digits; some do not support `\u`; and those that match UTF-16 code units would reject every character beyond
 * U+FFFF because of `\ud800-\udfff`. The document says in prose that strings contain no unpaired surrogates. Undefined
 * if the pattern excludes nothing else.
 */
export function portablePattern(pattern: string): string | undefined {
  const portable = pattern
    .replaceAll("\\ud800-\\udfff", "")
    .replace(/\\u00([0-9a-f]{2})/gi, "\\x$1")
    .replace(/\[[^\]]*\]|\\d/g, (part) => (part === "\\d" ? "[0-9]" : part.replaceAll("\\d", "0-9")));
  return portable === "^[^]*$" ? undefined : portable;
}
