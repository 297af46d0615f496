import type { Json } from "./components.ts";

/** Whose clients a document is for: those of a store's interface, or of management and the operator's interface. */
export type ClientInterface = "public" | "management";

const LOGIN = "/api/public/auth/v1/login";

interface Operation extends Json {
  operationId: string;
  parameters?: Json[];
  servers?: readonly { url: string; variables?: Json }[];
}
interface Document extends Json {
  info: { title: string };
  servers: readonly { url: string; description: string; variables?: Json }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Json>;
}

/**
 * The part of a document that generators of clients read: the operations of one interface under one server with their whole
 * paths, and schemas in the keywords that generators keep. The whole document remains the contract: what is left out
 * here (which of two fields is needed, which types of problems an answer has) is still in it.
 */
export function clientDocument(whole: Json, of: ClientInterface): Json {
  const { info, servers, paths, components, tags, ...document } = whole as Document;
  const [store] = servers;
  const kept: Record<string, Record<string, Operation>> = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const place = placeOf(path, operation, store?.url ?? "", of);
      if (place === undefined) continue;
      kept[place.path] = { ...kept[place.path], [method]: strictly(withPlace(operation, place)) as Operation };
    }
  }
  const used = new Set(Object.values(kept).flatMap((methods) => Object.values(methods).flatMap(tagsOf)));
  const server = serverOf(store, of);
  return {
    ...document,
    info: { ...info, title: `${info.title}: ${of === "public" ? "a store's interface" : "management"}` },
    servers: [server],
    tags: tags.filter(({ name }) => used.has(name)),
    paths: kept,
    components: reachable(strictly(components) as Record<string, Json>, kept),
  };
}

const tagsOf = ({ tags = [] }: Json): string[] => tags as string[];

interface Place {
  path: string;
  /** Whether the path names the tenant, which is a variable of the server elsewhere. */
  hasTenant?: boolean;
}

/** Where an operation is in the document of an interface; undefined where it belongs to the other one. */
function placeOf(path: string, { servers }: Operation, storeUrl: string, of: ClientInterface): Place | undefined {
  // The login answers below a store's address too.
  if (path === LOGIN) return { path };
  const base = new URL((servers?.[0]?.url ?? storeUrl).replace("{origin}", "http://a"), "http://a").pathname;
  const prefix = decodeURI(base).replace(/\/$/, "");
  if (servers === undefined) return of === "public" ? { path: prefix.replace(/^.*(?=\/api\/)/, "") + path } : undefined;
  return of === "management" ? { path: prefix + path, hasTenant: prefix.includes("{tenantId}") } : undefined;
}

function withPlace({ servers: _, parameters = [], ...operation }: Operation, { hasTenant }: Place): Json {
  const tenant = {
    name: "tenantId",
    in: "path",
    required: true,
    description: "Id of the tenant",
    schema: { type: "string" },
  };
  return { ...operation, parameters: hasTenant ? [tenant, ...parameters] : parameters };
}

function serverOf(store: Document["servers"][number] | undefined, of: ClientInterface): Json {
  if (store === undefined) return { url: "/" };
  const { url, description, variables = {} } = store;
  if (of === "public") return { url: url.replace(/\/api\/.*$/, ""), description, variables };
  const { origin } = variables as { origin?: Json };
  const own = url.replace(/\/t\/.*$/, "");
  return { url: own || "/", description: "This Shelfwire", ...(origin && { variables: { origin } }) };
}

/** A part of a document in the keywords that generators keep. */
function strictly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strictly);
  if (typeof value !== "object" || value === null) return value;
  const { default: initial, description, uniqueItems: _, ...rest } = withoutLists(withoutConditions(value as Json));
  const fields = Object.entries(rest).map(([name, field]) => {
    if (name === "application/problem+json") return [name, problemContent(field as Json)];
    if (/^(image|font)\//.test(name)) return [name, fileContent(field as Json)];
    return [name, isData(name) ? field : strictly(field)];
  });
  const { enum: values, const: only, type } = rest as { enum?: readonly unknown[]; const?: unknown; type?: unknown };
  const isSchema = initial !== undefined && typeof initial !== "object" && ("type" in rest || values !== undefined);
  return {
    ...Object.fromEntries(fields),
    ...(values !== undefined && type === undefined && { type: typesOf(values) }),
    ...(only !== undefined && type === "number" && { type: typesOf([only]) }),
    // Without it an integer has 32 bits to some, and a rev is a time in milliseconds.
    ...(isLargeInteger(rest) && { format: "int64" }),
    ...(initial !== undefined && !isSchema && { default: strictly(initial) }),
    ...(description !== undefined && {
      description: typeof description === "string" ? description : strictly(description),
    }),
    // A generator makes a field with a default a required one.
    ...(isSchema && { description: `${description ?? "Value"}; ${String(initial)} where it is absent` }),
  };
}

/** The type of an enumeration's values, which some generators take for a number with decimals where it is not said. */
function typesOf(values: readonly unknown[]): string | string[] {
  const known = [
    ...new Set(values.map((value) => (value === null ? "null" : typeof value === "number" ? "integer" : typeof value))),
  ];
  const [only = "string"] = known;
  return known.length === 1 ? only : known;
}

/** Whether a schema takes integers that 32 bits do not hold. */
const isLargeInteger = ({ type, maximum, enum: values }: Json): boolean =>
  [type].flat().includes("integer") && values === undefined && !(typeof maximum === "number" && maximum < 2 ** 31);

const isData = (name: string): boolean => ["example", "examples", "enum", "const", "variables"].includes(name);

const problemContent = ({ schema: _, ...content }: Json): Json => ({
  schema: { $ref: "#/components/schemas/Problem" },
  ...content,
});

/** What has no schema is no answer to some generators. */
const fileContent = (content: Json): Json => ({ schema: { type: "string", format: "binary" }, ...content });

/** A choice between a list and something else as any value: generators make invalid Java of it. */
function withoutLists(schema: Json): Json {
  const { anyOf, description, ...rest } = schema;
  if (!Array.isArray(anyOf) || !anyOf.some(({ type }) => type === "array")) return schema;
  const choices = anyOf.map(({ type, enum: values, const: only }: Json) =>
    type === "array" ? "a list" : ((values as string[] | undefined)?.join(", ") ?? only ?? type),
  );
  return { ...rest, description: `${description ?? "Value"}: ${choices.join(", or ")}` };
}

/** A schema of an object without the conditions on which of its fields are needed. */
function withoutConditions(schema: Json): Json {
  if (schema.type !== "object") return schema;
  const { dependentRequired: _, propertyNames: __, anyOf, allOf, ...rest } = schema;
  const isCondition = (branches: unknown) => Array.isArray(branches) && branches.every((one) => !("$ref" in one));
  return {
    ...rest,
    ...(anyOf !== undefined && !isCondition(anyOf) && { anyOf }),
    ...(allOf !== undefined && !isCondition(allOf) && { allOf }),
  };
}

/** The components to which paths lead, by themselves or by way of others. */
function reachable(components: Record<string, Json>, paths: Json): Record<string, Json> {
  const found = new Set<string>();
  const visit = (value: unknown) => {
    for (const [, kind = "", name = ""] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
      if (found.has(`${kind}/${name}`)) continue;
      found.add(`${kind}/${name}`);
      visit(components[kind]?.[name] ?? {});
    }
  };
  visit(paths);
  return Object.fromEntries(
    Object.entries(components).map(([kind, parts]) => [
      kind,
      kind === "securitySchemes"
        ? parts
        : Object.fromEntries(Object.entries(parts).filter(([name]) => found.has(`${kind}/${name}`))),
    ]),
  );
}
