import type { Json } from "../components.ts";
import { strictly } from "./client-schema.ts";

/** Whose clients a document is for: those of a store's interface, of management and the operator's interface, or of both. */
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
 * The parts of a document that client generators read: the operations of one interface, or of both, under one server
 * with their full paths, and schemas in the keywords that generators support. The full document remains the contract:
 * what is omitted here (which of two fields is required, which types of problems a response has) is still in it.
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

/** The login works below a store's address too. */
const isFor = (of: ClientInterface, path: string, { servers }: Operation): boolean =>
  of === "both" || path === LOGIN || (of === "public") === (servers === undefined);

/** An operation with what its place before the path names: the tenant, and the store of its interface. */
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

/** The components to which paths lead, by themselves or by way of others. */
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
