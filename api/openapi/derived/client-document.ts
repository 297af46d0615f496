import type { Json } from "../components.ts";
import { strictly } from "./client-schema.ts";

/** The interfaces that a document's clients use: a store's; the management and operator's interfaces; or all of them. */
export type ClientInterface = "public" | "management" | "both";

const titles: Readonly<Record<ClientInterface, string>> = {
  public: "a store's interface",
  management: "management",
  both: "a store's interface and management",
};

const LOGIN = "/api/public/auth/v1/login";
const STORE = "/t/{tenantId}/s/{storeId}";

interface Operation extends Json {
  operationId: string;
  parameters?: Json[];
  servers?: readonly { url: string }[];
}
interface Server {
  url: string;
  description: string;
  variables?: Json;
}
interface Document extends Json {
  info: { title: string };
  servers: readonly Server[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Json>;
}

/**
 * Returns the parts of a document that client generators need, in keywords that they support: the schemas, and the operations
 * of one interface or both, with their full paths under one server. The full document remains the contract. It still says what
 * is omitted here: which of two fields is required, and which types of problems a response has.
 */
export function clientDocument(whole: Json, of: ClientInterface): Json {
  const { info, servers, paths, components, tags, webhooks: _, ...document } = whole as Document;
  const [store = { url: "", description: "" }] = servers;
  const own = store.url.replace(/\/t\/.*/s, "");
  const kept: Record<string, Record<string, Operation>> = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!isFor(of, path, operation)) continue;
      const { url } = operation.servers?.[0] ?? store;
      const place = url
        .slice(own.length)
        .replace(of === "public" ? STORE : "", "")
        .replace(/\/$/, "");
      const placed = withPlace(operation, place, store.variables);
      kept[place + path] = { ...kept[place + path], [method]: strictly(placed) as Operation };
    }
  }
  const used = new Set(Object.values(kept).flatMap((methods) => Object.values(methods).flatMap(tagsOf)));
  const server = of === "public" ? storeServer(store) : ownServer(own, store);
  return {
    ...document,
    info: { ...info, title: `${info.title}: ${titles[of]}` },
    servers: [server],
    tags: tags.filter(({ name }) => used.has(name)),
    paths: kept,
    components: reachable(strictly(components) as Record<string, Json>, kept),
  };
}

const tagsOf = ({ tags = [] }: Json): string[] => tags as string[];

/** The login is also available below a store's address. */
const isFor = (of: ClientInterface, path: string, { servers }: Operation): boolean =>
  of === "both" || path === LOGIN || (of === "public") === (servers === undefined);

/** Returns an operation with the parameters that precede its path: the tenant, and the store for a store's interface. */
function withPlace(
  { servers: _, parameters = [], ...operation }: Operation,
  place: string,
  variables: Json = {},
): Json {
  const named = [...place.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: (variables[name] as Json).description,
    schema: { type: "string" },
  }));
  return { ...operation, parameters: [...named, ...parameters] };
}

const storeServer = ({ url, description, variables = {} }: Server): Json => ({
  url: url.replace(/\/api\/.*/s, ""),
  description,
  variables,
});

function ownServer(own: string, { variables: { origin } = {} }: Server): Json {
  return { url: own || "/", description: "This Shelfwire", ...(origin !== undefined && { variables: { origin } }) };
}

/** Returns the components that paths refer to, directly or through other components. */
export function reachable(components: Record<string, Json>, paths: Json): Record<string, Json> {
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
