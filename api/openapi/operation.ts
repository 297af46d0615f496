import type { TObject, TSchema } from "typebox";
import type { ProblemName } from "../http/problem-kinds.ts";
import type { UploadBounds } from "../http/route.ts";
import type { Components, Json } from "./components.ts";
import { exampleOf } from "./examples.ts";
import { fieldOf } from "./fields.ts";
import { answerHeaders } from "./headers.ts";
import type { createProblemAnswers } from "./problem-answers.ts";
import type { Tag } from "./prose.ts";

/** An operation as the document describes it, on any of the servers. */
export interface Operation {
  method: string;
  /** Path with parameters as `:name`. */
  path: string;
  operationId: string;
  tag: Tag;
  summary: string;
  description?: string;
  /** Names of security schemes with their scopes; empty for a public operation. */
  security: readonly Json[];
  params?: TSchema | undefined;
  query?: TSchema | undefined;
  body?: TSchema | undefined;
  isBodyOptional?: boolean | undefined;
  /** The field of a multipart form that carries a file, in place of a JSON body. */
  upload?: string | undefined;
  uploadBounds?: UploadBounds | undefined;
  /** Whether the response carries an ETag. */
  isTagged?: boolean | undefined;
  /** Whether it accepts If-Match and If-None-Match; if so, its response carries an ETag. */
  isGuarded?: boolean | undefined;
  /** Whether it accepts an Idempotency-Key. */
  isKeyed?: boolean | undefined;
  /** Schemas of the successful responses by status; null for a response without a body. */
  answers: Readonly<Record<number, TSchema | null>>;
  /** Additional media types of the successful responses. */
  alsoAs?: readonly string[] | undefined;
  problems: readonly ProblemName[];
  /** Id of the operation that returns the result of an accepted request. */
  resultBy?: string | undefined;
  /** The operation's servers, if it is not in a store's interface. */
  servers?: readonly Json[];
}

interface Parts extends Pick<Components, "refer"> {
  answersOf: ReturnType<typeof createProblemAnswers>["answersOf"];
}

/** Returns an operation as an OpenAPI operation object. */
export function operationOf(operation: Operation, { refer, answersOf }: Parts): Json {
  const {
    operationId,
    tag,
    summary,
    description,
    security,
    params,
    query,
    problems,
    servers,
    isTagged,
    isGuarded,
    isKeyed,
  } = operation;
  const isPaged = Object.hasOwn((query as Partial<TObject> | undefined)?.properties ?? {}, "after");
  const answers = Object.entries(operation.answers).map(([status, schema]) => [
    status,
    {
      description: answerText(status, schema),
      headers: answerHeaders({ isTagged: isTagged || (isGuarded && status !== "204") || false, isPaged }),
      ...contentOf(status, schema, operation.alsoAs ?? [], refer),
      ...(status === "202" && operation.resultBy && { links: linkTo(operation.resultBy) }),
    },
  ]);
  const requestBody = bodyOf(operation, refer);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security,
    parameters: [
      ...parametersOf("path", params, refer),
      ...parametersOf("query", query, refer),
      ...(isTagged ? [ifNoneMatch] : []),
      ...(isGuarded ? guards : []),
      ...(isKeyed ? [idempotencyKey] : []),
    ],
    ...(requestBody && { requestBody }),
    responses: { ...Object.fromEntries(answers), ...(isTagged && unchanged), ...answersOf(problems) },
    ...(servers && { servers }),
  };
}

const linkTo = (operationId: string): Json => ({
  result: {
    operationId,
    parameters: { requestId: "$response.body#/requestId" },
    description: "Outcome of each row",
  },
});

const ifNoneMatch: Json = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description:
    "ETag of a representation that the caller already has: if it is unchanged, the response is 304 without a body",
  schema: { type: "string" },
  example: '"3q2-7w"',
};
const guards: readonly Json[] = [
  {
    name: "If-Match",
    in: "header",
    required: false,
    description:
      "ETag of the representation that the caller has read: if it has changed since, nothing is written (412)",
    schema: { type: "string" },
    example: '"3q2-7w"',
  },
  {
    name: "If-None-Match",
    in: "header",
    required: false,
    description: "`*`: only if the resource does not exist yet",
    schema: { type: "string" },
    example: "*",
  },
];
const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Unique per request: a repetition is not executed again and returns the first response",
  schema: { type: "string", pattern: "^[!-~]{1,255}$" },
  example: "0f8f1a52-6a52-4b53-9f7e-6c1f5a3a5f0e",
};
const unchanged: Json = {
  304: { description: "Unchanged since the response with this ETag", headers: answerHeaders({ isTagged: true }) },
};

function bodyOf(
  { body, isBodyOptional = false, upload, uploadBounds }: Operation,
  refer: Components["refer"],
): Json | undefined {
  if (upload !== undefined) return { required: true, content: formOf(upload, uploadBounds) };
  if (body === undefined) return undefined;
  const example = exampleOf(body);
  return { required: !isBodyOptional, content: { "application/json": { schema: refer(body), example } } };
}

/** The upload bounds for page images. */
const ofPages = { mediaTypes: ["image/png", "image/jpeg", "image/bmp", "image/gif"], noun: "image" };

/** A multipart form with one file; most tools recognise a file by `format: binary`. */
const formOf = (field: string, { mediaTypes, noun }: Omit<UploadBounds, "maxBytes"> = ofPages): Json => ({
  "multipart/form-data": {
    schema: {
      type: "object",
      required: [field],
      properties: {
        [field]: { type: "string", format: "binary", description: `The ${noun}: ${mediaTypes.join(", ")}` },
      },
    },
    encoding: { [field]: { contentType: mediaTypes.join(", ") } },
  },
});

function answerText(status: string, schema: TSchema | null): string {
  const { description } = (schema ?? {}) as { description?: string };
  if (description !== undefined) return description;
  return { 202: "Accepted: the request is journaled and will be executed", 204: "Done" }[status] ?? "The answer";
}

function contentOf(
  status: string,
  schema: TSchema | null,
  alsoAs: readonly string[],
  refer: Components["refer"],
): Json {
  if (schema === null || status === "204") return {};
  const { contentMediaType } = schema as { contentMediaType?: string };
  const further = Object.fromEntries(alsoAs.map((type) => [type, {}]));
  if (contentMediaType !== undefined) return { content: { [contentMediaType]: {}, ...further } };
  return { content: { "application/json": { schema: refer(schema), example: exampleOf(schema) }, ...further } };
}

function parametersOf(location: "path" | "query", schema: TSchema | undefined, refer: Components["refer"]): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Json; required?: string[] };
  return Object.entries(properties as Record<string, TSchema>).map(([name, schema]) => {
    const { description: _, ...shown } = refer(schema);
    const { description = fieldOf(name, "").means } = schema as { description?: string };
    return {
      name,
      in: location,
      required: required.includes(name),
      description,
      schema: shown,
      example: exampleOf(schema, name),
    };
  });
}
