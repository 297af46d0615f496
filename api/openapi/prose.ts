import type { Scope } from "../../schemas/token.ts";
import type { Json } from "./components.ts";

/** Tags that group the operations, with their descriptions. */
const tags = {
  Items: "Products with a price and descriptive fields. Writes are accepted first and applied later.",
  Labels: "Electronic shelf labels: their settings, pictures and state.",
  Models: "Kinds of labels.",
  Links: "Which item a label shows at which position.",
  Actions: "Immediate actions: flash a label, show a page, send a picture again.",
  Results: "Results of accepted requests.",
  Rules: "The rules that choose the designs of labels: communication packs.",
  Designs: "What labels can show.",
  Tenants: "Retailers with their own stores, models and designs.",
  Stores: "The stores of a tenant.",
  Events: "Subscriptions to changes, and a live stream of them.",
  Access: "Users, invitations, sessions and tokens.",
  Activity: "Who changed what.",
  Operation: "Health of the server, and its documents.",
  "Label servers": "Label servers, and their reports to Shelfwire.",
} as const;

export type Tag = keyof typeof tags;

export const tagList = (used: ReadonlySet<string>): Json[] =>
  Object.entries(tags)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));

const scopeMeanings: Record<Scope, string> = {
  "items:read": "read items and the results of requests on them",
  "items:write": "update, create and delete items",
  "prices:approve": "approve and refuse held prices that somebody else sent",
  "labels:read": "read labels, their pictures, models and the results of requests on labels",
  "labels:write": "set and link labels, and trigger actions on them",
  "links:read": "read links",
  "links:write": "create, change and delete links",
  "design:read": "read designs and rules",
  "design:write": "change designs and rules",
  "activity:read": "see who changed what",
  "users:write": "invite users within the token's own stores and scopes, list them, end their sessions and remove them",
  ops: "read queues, metrics, stores, subscriptions and changes",
  "ops:write": "manage queues, stores and subscriptions",
  platform: "set up tenants and their resources; only the operator's token, which belongs to no tenant, has this scope",
};

const scopeRows = Object.entries(scopeMeanings).map(([scope, meaning]) => `| \`${scope}\` | ${meaning} |`);

export const description = `Items, electronic shelf labels and the links between them.

Paths are relative to a store's address, \`{origin}/t/{tenantId}/s/{storeId}/api/public/core/v1\`; other operations
state the address to which they are relative. Management operations are relative to
\`{origin}/t/{tenantId}/api/management/v1\` and require a token for all stores of the tenant.

**Tokens.** Requests carry \`Authorization: Bearer <token>\`, a JWT for one tenant, some or all of its stores, and some scopes:

| scope | allows to |
|---|---|
${scopeRows.join("\n")}

**Writes are accepted first and applied later.** A 202 returns a \`requestId\`; a result operation returns the outcome of each row.
Fields that are absent, null or empty in a row of an update leave the stored value unchanged. Undocumented fields and
query parameters are ignored.

**Strings** are Unicode in UTF-8 without unpaired surrogates; ids are case-sensitive, and nothing is trimmed. In a path,
an id is percent-encoded once, including its slashes (\`%2F\`). Times without an offset are in the store's
time zone.

**Errors** are problem documents (RFC 9457). Their \`type\` is stable; other members may be added.
`;

export const accessToken = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description: "An access token; each operation lists the scope that it requires.",
};

export const platformToken = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description:
    "The operator's access token with the scope `platform`, which belongs to no tenant and covers all of them.",
};

export const apiUser = {
  type: "http",
  scheme: "basic",
  description: "Name and password of an API user, which an operator has created.",
};

export const labelServerSecret = {
  type: "http",
  scheme: "bearer",
  description:
    "The secret that Shelfwire shares with the label server: the label server's own, or `LABEL_SERVER_SECRET`.",
};
