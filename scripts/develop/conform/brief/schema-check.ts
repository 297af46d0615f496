import { Ajv2020 } from "ajv/dist/2020.js";
import type { Described, Json } from "./described.ts";

/** A fault of a value: the keyword of its schema that it breaks, and the place. */
export interface Fault {
  keyword: string;
  place: string;
  message: string;
}
export type SchemaCheck = (schema: Json, value: unknown) => readonly Fault[];

/**
 * Checks values against schemas of a document, using only the document. This oracle shares nothing with the server's checks.
 */
export function createSchemaCheck({ components }: Described): SchemaCheck {
  const ajv = new Ajv2020({ strict: false, logger: false });
  ajv.addFormat("date-time", (text) => !Number.isNaN(Date.parse(text)));
  for (const format of ["binary", "uri", "email", "uuid", "int32", "int64"]) ajv.addFormat(format, true);
  ajv.addSchema({ $id: "document", components });
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const check = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, check);
    if (check(value)) return [];
    return (check.errors ?? []).map(({ keyword, instancePath, message = "" }) => ({
      keyword,
      place: instancePath,
      message,
    }));
  };
}
