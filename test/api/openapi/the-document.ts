import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { openApiDocument } from "../../../api/openapi/document.ts";
import { createRoutes, type RoutesWorld } from "../../../api/routes.ts";

export type Json = Record<string, unknown>;
interface Media {
  schema?: Json;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Answer {
  $ref?: string;
  description: string;
  headers: Record<string, unknown>;
  content?: Record<string, Media>;
  links?: Record<string, { operationId: string }>;
}
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; description?: string; schema: Json; example: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
}

export const routes = createRoutes({ linkSingle: {}, management: {} } as RoutesWorld);
export const document = openApiDocument(routes, "1.2.3") as {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json; responses: Record<string, Answer>; securitySchemes: Json };
};
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);
export const answersOf = ({ responses }: Operation): [string, Answer][] =>
  Object.entries(responses).map(([status, answer]) => [status, resolve(answer)]);
const resolve = (answer: Answer): Answer =>
  (answer.$ref && document.components.responses[answer.$ref.split("/").at(-1) ?? ""]) || answer;

export const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  strictRequired: false,
  strictTypes: false,
  allowUnionTypes: true,
});
ajv.addFormat("date-time", (text) => !Number.isNaN(Date.parse(text)));
ajv.addVocabulary(["components"]);
ajv.addSchema({ $id: "document", components: document.components }, "document");
const compiled = new Map<string, ValidateFunction>();

/** Compiles a schema of the document, including references to its components. */
export function compile(schema: Json): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const known = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, known);
  return known;
}

/** Every schema with an example in the document, and its place. */
export const shown = operations.flatMap(({ name, operation }) => [
  ...operation.parameters.map(({ name: parameter, schema, example }) => ({
    place: `${name} ${parameter}`,
    schema,
    example,
  })),
  ...mediaOf(`${name} body`, operation.requestBody?.content),
  ...answersOf(operation).flatMap(([status, { content }]) => mediaOf(`${name} ${status}`, content)),
]);

function mediaOf(place: string, content: Record<string, Media> = {}) {
  return Object.entries(content).flatMap(([type, { schema, example, examples }]) => {
    // The document does not describe the bytes of a picture.
    if (schema === undefined || type === "multipart/form-data") return [];
    const named = Object.entries(examples ?? {}).map(([name, { value }]) => ({
      place: `${place} ${name}`,
      schema,
      example: value,
    }));
    return named.length > 0 ? named : [{ place, schema, example }];
  });
}

/** Walks every schema of the document. */
export function* everySchema(value: unknown, place = "#"): Generator<{ place: string; schema: Json }> {
  if (typeof value !== "object" || value === null) return;
  yield { place, schema: value as Json };
  for (const [name, one] of Object.entries(value)) yield* everySchema(one, `${place}/${name}`);
}
