import type { TSchema } from "typebox";
import type { ProblemName } from "../problem-error.ts";
import type { Components, Json } from "./components.ts";
import { exampleOf } from "./examples.ts";
import { fieldOf } from "./fields.ts";
import { answerHeaders } from "./headers.ts";
import type { createProblemAnswers } from "./problem-answers.ts";
import type { Tag } from "./prose.ts";

/** What the document tells of an operation, wherever it is served. */
export interface Operation {
  method: string;
  /** With parameters as `:name`. */
  path: string;
  operationId: string;
  tag: Tag;
  summary: string;
  description?: string;
  /** Names of security schemes with their scopes; none: everybody may call it. */
  security: readonly Json[];
  params?: TSchema | undefined;
  query?: TSchema | undefined;
  body?: TSchema | undefined;
  isBodyOptional?: boolean | undefined;
  /** The field of a multipart form that carries a file, instead of a body in JSON. */
  upload?: string | undefined;
  /** Its answer carries an ETag. */
  isTagged?: boolean | undefined;
  answers: Readonly<Record<number, TSchema>>;
  problems: readonly ProblemName[];
  /** The operation that tells what became of it. */
  resultBy?: string | undefined;
  /** Where it is, if not in a store's interface. */
  servers?: readonly Json[];
}

interface Parts extends Pick<Components, "refer"> {
  answersOf: ReturnType<typeof createProblemAnswers>["answersOf"];
}

/** An operation as an OpenAPI operation object. */
export function operationOf(operation: Operation, { refer, answersOf }: Parts): Json {
  const { operationId, tag, summary, description, security, params, query, body, problems, servers } = operation;
  const answers = Object.entries(operation.answers).map(([status, schema]) => [
    status,
    {
      description: answerText(status, schema),
      headers: answerHeaders(),
      ...contentOf(status, schema, refer),
      ...(status === "202" && operation.resultBy && { links: linkTo(operation.resultBy) }),
    },
  ]);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security,
    parameters: [...parametersOf("path", params, refer), ...parametersOf("query", query, refer)],
    ...(body && { requestBody: bodyOf(body, operation.isBodyOptional === true, refer) }),
    ...(operation.upload && { requestBody: { required: true, content: formOf(operation.upload) } }),
    responses: {
      ...Object.fromEntries(answers),
      ...(operation.isTagged && { 304: unchanged }),
      ...answersOf(problems),
    },
    ...(servers && { servers }),
  };
}

const unchanged: Json = {
  description: "Nothing has changed since the answer with this ETag",
  headers: answerHeaders(),
};

const linkTo = (operationId: string): Json => ({
  result: {
    operationId,
    parameters: { requestId: "$response.body#/requestId" },
    description: "What became of each row",
  },
});

const bodyOf = (schema: TSchema, isOptional: boolean, refer: Components["refer"]): Json => ({
  required: !isOptional,
  content: { "application/json": { schema: refer(schema), example: exampleOf(schema) } },
});

const formOf = (field: string): Json => ({
  "multipart/form-data": {
    schema: {
      type: "object",
      required: [field],
      properties: { [field]: { type: "string", contentMediaType: "application/octet-stream" } },
    },
  },
});

function answerText(status: string, schema: TSchema): string {
  const { description } = schema as { description?: string };
  if (description !== undefined) return description;
  return { 202: "Accepted: it is journaled and will happen", 204: "Done" }[status] ?? "The answer";
}

function contentOf(status: string, schema: TSchema, refer: Components["refer"]): Json {
  if (status === "204") return {};
  const { contentMediaType } = schema as { contentMediaType?: string };
  if (contentMediaType !== undefined) return { content: { [contentMediaType]: {} } };
  return { content: { "application/json": { schema: refer(schema), example: exampleOf(schema) } } };
}

function parametersOf(place: "path" | "query", schema: TSchema | undefined, refer: Components["refer"]): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Json; required?: string[] };
  return Object.entries(properties as Record<string, TSchema>).map(([name, schema]) => {
    const { description, ...shown } = refer(schema);
    const { means } = fieldOf(name, "");
    return {
      name,
      in: place,
      required: required.includes(name),
      description: description ?? means ?? (schema as { description?: string }).description,
      schema: shown,
      example: exampleOf(schema, name),
    };
  });
}
