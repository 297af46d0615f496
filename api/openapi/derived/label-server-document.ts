import type { TSchema } from "typebox";
import { labelServerCalls, switchCalls } from "../../../schemas/label-server-call.ts";
import { SwitchId } from "../../../schemas/switch.ts";
import { REPORTS_PATH } from "../../label-reports.ts";
import { createComponents, type Json } from "../components.ts";
import { exampleOf } from "../examples.ts";
import { reachable } from "./client-document.ts";

const description = `Both directions between Shelfwire and a label server. Shelfwire calls the label server below its
address; the label server reports to Shelfwire. What each side must do beyond the formats is a list of rules in
\`docs/label-servers/README.md\`, and \`npm run label-server-check\` tests each of them.`;

const server = {
  url: "{labelServer}",
  description: "The address under which Shelfwire reaches the label server",
  variables: { labelServer: { default: "http://127.0.0.1:8081", description: "Scheme, host, port and path" } },
};

const bootId: Json = {
  "Boot-Id": {
    description:
      "Identifies the current run of the label server. If the id changes, everything in flight is sent again",
    schema: { type: "string", maxLength: 128 },
  },
};
const retryAfter: Json = {
  "Retry-After": {
    description: "Seconds until the call is repeated; with 429 and 503, until any picture or text is sent",
    schema: { type: "integer" },
  },
};
const answers: Json = {
  202: { description: "Accepted. The result of a picture or text is reported later", headers: bootId },
  "4XX": {
    description:
      "401 and 403: the secret is wrong, and the call is repeated. 408, 409, 425 and 429: it is repeated. Any other: refused",
    headers: { ...retryAfter, ...bootId },
  },
  "5XX": {
    description: "500, 502, 503 and 504: the call is repeated. Any other: refused",
    headers: { ...retryAfter, ...bootId },
  },
};

/**
 * The OpenAPI document for makers of label servers: the calls that a label server accepts, and the report that it sends.
 * `whole` is the document of Shelfwire's own operations, which contains the report.
 */
export function labelServerDocument(whole: Json, version: string): Json {
  const { refer, schemas } = createComponents();
  const calls = Object.values(labelServerCalls).map(({ method, path, ...call }) => [
    `/labels/{barcode}/${path}`,
    { [method.toLowerCase()]: callOperation(path, call, refer) },
  ]);
  const ofSwitches = Object.values(switchCalls).map(({ method, ...call }) => [
    method.toLowerCase(),
    switchOperation(call, refer),
  ]);
  const { paths, components } = whole as { paths: Json; components: Record<string, Json> };
  const kept = {
    ...Object.fromEntries(calls),
    "/switches/{switch}": Object.fromEntries(ofSwitches),
    [REPORTS_PATH]: withTag(paths[REPORTS_PATH] as Record<string, Json>),
  };
  const used = reachable({ ...components, schemas: { ...components.schemas, ...schemas() } }, kept);
  return {
    openapi: "3.1.0",
    info: {
      title: "Shelfwire: label servers",
      version,
      description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [server],
    security: [{ labelServerSecret: [] }],
    tags: [
      { name: "Calls", description: "What Shelfwire sends to a label server." },
      { name: "Reports", description: "What a label server sends to Shelfwire." },
    ],
    paths: kept,
    components: { ...used, securitySchemes: { labelServerSecret: components.securitySchemes?.labelServerSecret } },
  };
}

const withTag = (operations: Record<string, Json>): Json =>
  Object.fromEntries(Object.entries(operations).map(([method, shown]) => [method, { ...shown, tags: ["Reports"] }]));

type Call = Omit<(typeof labelServerCalls)[keyof typeof labelServerCalls], "method" | "path">;

function callOperation(path: string, { operationId, summary, headers, body }: Call, refer: (schema: TSchema) => Json) {
  // A document describes the secret as its security scheme, not as a header.
  const { authorization: _, ...named } = headers.properties;
  const content = body
    ? { "application/json": { schema: refer(body), example: exampleOf(body) } }
    : { "image/png": { schema: { type: "string", contentMediaType: "image/png" } } };
  return {
    operationId,
    tags: ["Calls"],
    summary,
    parameters: [
      pathParameter(
        "barcode",
        "Barcode of the label",
        { type: "string", minLength: 1, maxLength: 64 },
        "D42FLOFYMKP013280",
      ),
      ...(path.includes("{page}")
        ? [pathParameter("page", "Page of the label, from 0", { type: "integer", minimum: 0 }, 0)]
        : []),
      ...(path.includes("{switch}") ? [switchParameter] : []),
      ...Object.entries(named).map(([name, schema]) => headerParameter(name, schema, headers.required, refer)),
    ],
    requestBody: { required: true, content },
    responses: answers,
  };
}

type SwitchCall = Omit<(typeof switchCalls)[keyof typeof switchCalls], "method">;

function switchOperation({ operationId, summary, headers, body }: SwitchCall, refer: (schema: TSchema) => Json) {
  const { authorization: _, store } = headers.properties;
  const content = body && { "application/json": { schema: refer(body), example: exampleOf(body) } };
  return {
    operationId,
    tags: ["Calls"],
    summary,
    parameters: [switchParameter, headerParameter("store", store, headers.required, refer)],
    ...(content && { requestBody: { required: true, content } }),
    responses: answers,
  };
}

const pathParameter = (name: string, means: string, schema: Json, example: unknown): Json => ({
  name,
  in: "path",
  required: true,
  description: means,
  schema,
  example,
});

const switchParameter = pathParameter(
  "switch",
  "Id of the switch; each store has its own",
  { type: "string", pattern: (SwitchId as { pattern?: string }).pattern },
  "20260309T050000Z",
);

function headerParameter(
  name: string,
  schema: TSchema,
  required: readonly string[],
  refer: (schema: TSchema) => Json,
): Json {
  const { description: means, examples, ...shown } = refer(schema) as Json & { examples?: unknown[] };
  return {
    name: name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
    in: "header",
    required: required.includes(name),
    description: means,
    schema: shown,
    example: examples?.[0],
  };
}
