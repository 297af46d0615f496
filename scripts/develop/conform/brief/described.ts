export type Json = Readonly<Record<string, unknown>>;

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Json;
  example?: unknown;
}
export interface Media {
  schema?: Json;
  example?: unknown;
}
interface Answer {
  headers?: Readonly<Record<string, Json>>;
  content?: Readonly<Record<string, Media>>;
}
interface OwnOperation {
  operationId: string;
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Readonly<Record<string, Media>> };
  responses: Readonly<Record<string, Answer | { $ref: string }>>;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  servers?: readonly Server[];
}
interface Server {
  url: string;
  variables?: Readonly<Record<string, { default: string }>>;
}

/** The parts of an OpenAPI document that are read here. */
export interface Described {
  servers: readonly Server[];
  security?: OwnOperation["security"];
  paths: Readonly<Record<string, Readonly<Record<string, OwnOperation>>>>;
  components?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

/** An operation with everything else that the document says about it. */
export interface Operation {
  operationId: string;
  method: string;
  /** The path of its server and its own path, with the names of its parameters in braces. */
  path: string;
  parameters: readonly Parameter[];
  body: { isRequired: boolean; mediaType: string; schema: Json; example: unknown } | undefined;
  answers: Readonly<
    Record<string, { headers: Readonly<Record<string, Json>>; content: Readonly<Record<string, Media>> }>
  >;
  /** Names of the security schemes, any one of which is enough. Empty for a public operation. */
  security: readonly string[];
}

/** Returns the operations of a served document. */
export function operationsOf(document: Described): Operation[] {
  const componentOf = (one: object): Json => {
    if (!("$ref" in one)) return one as Json;
    const [kind = "", name = ""] = String(one.$ref).split("/").slice(-2);
    return document.components?.[kind]?.[name] ?? {};
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [mediaType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
      const answers = Object.entries(operation.responses).map(([status, answer]) => {
        const { headers = {}, content = {} } = componentOf(answer) as Answer;
        const resolved = Object.entries(headers).map(([name, header]) => [name.toLowerCase(), componentOf(header)]);
        return [status, { headers: Object.fromEntries(resolved), content }];
      });
      const security = operation.security ?? document.security ?? [];
      return {
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path: pathOf((operation.servers ?? document.servers)[0]) + path,
        parameters: operation.parameters ?? [],
        body:
          mediaType !== undefined && media !== undefined
            ? {
                isRequired: operation.requestBody?.required === true,
                mediaType,
                schema: media.schema ?? {},
                example: media.example,
              }
            : undefined,
        answers: Object.fromEntries(answers),
        security: security.flatMap((way) => Object.keys(way)),
      };
    }),
  );
}

/** Returns the path of a server's address, with the defaults of its variables. */
function pathOf({ url, variables = {} }: Server = { url: "/" }): string {
  const filled = url.replace(/\{(\w+)\}/g, (_, name: string) => variables[name]?.default ?? "");
  return new URL(filled, "http://a").pathname.replace(/\/$/, "");
}
