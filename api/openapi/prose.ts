import type { Scope } from "../../schemas/token.ts";
import type { Json } from "./components.ts";

/** Tags that group the operations, with their descriptions. */
const tags = {
  Items: "Products with a price and descriptive fields. Writes are accepted, then applied.",
  Labels: "Electronic shelf labels: what they are, what they show and how they are.",
  Models: "What labels can be.",
  Links: "Which item a label shows at which position.",
  Actions: "What a label does now: flash, show a page, be sent again.",
  Results: "What became of requests that were accepted.",
  Rules: "By which rules labels choose their designs: communication packs.",
  Designs: "What labels can show.",
  Tenants: "Who has stores, models and designs of their own.",
  Stores: "The stores of a tenant.",
  Events: "Who is told of changes, and what changes now.",
  Access: "Who may call, and how a token is obtained.",
  Operation: "Whether Shelfwire is well, and its description.",
  "Label servers": "What they are, and what they tell Shelfwire.",
} as const;

export type Tag = keyof typeof tags;

export const tagList = (used: ReadonlySet<string>): Json[] =>
  Object.entries(tags)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));

const scopeMeanings: Record<Scope, string> = {
  "items:read": "read items and the results of requests on them",
  "items:write": "update, add and delete items",
  "labels:read": "read labels, their pictures, models and the results of requests on labels",
  "labels:write": "set and link labels, and have them act",
  "links:read": "read links",
  "links:write": "make, change and delete links",
  "design:read": "read designs and rules",
  "design:write": "change designs and rules",
  ops: "look into queues, measurements, stores, subscriptions and changes",
  "ops:write": "act on queues, and change stores and subscriptions",
  platform: "set up tenants and what they have; of the operator's token, which is for no tenant, and of no other",
};

const scopeRows = Object.entries(scopeMeanings).map(([scope, meaning]) => `| \`${scope}\` | ${meaning} |`);

export const description = `Items, electronic shelf labels and the links between them.

Paths are relative to a store's address, \`{origin}/t/{tenantId}/s/{storeId}/api/public/core/v1\`; those of other
operations are relative to what stands with them: those for management to \`{origin}/t/{tenantId}/api/management/v1\`,
which need a token for all stores of the tenant.

**Tokens.** Calls carry \`Authorization: Bearer <token>\`, a JWT for one tenant, some or all of its stores, and some scopes:

| scope | allows to |
|---|---|
${scopeRows.join("\n")}

**Writes are accepted, then applied.** A 202 gives a \`requestId\`; a result operation tells what became of each row.
What is absent, null or empty in a row of an update leaves the stored value alone. Fields and query parameters that are
not described are ignored.

**Texts** are Unicode in UTF-8 without halves of surrogate pairs; ids are case-sensitive and nothing is trimmed. In a path
an id is percent-encoded once, its slashes as well (\`%2F\`). Times without an offset are in the
store's zone.

**Errors** are problem documents (RFC 9457). Their \`type\` is stable; what else they hold may grow.
`;

export const accessToken = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description: "An access token; each operation names the scope that it needs.",
};

export const platformToken = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description: "The operator's access token, of the scope `platform`: for no tenant, and above all of them.",
};

export const apiUser = {
  type: "http",
  scheme: "basic",
  description: "Name and password of an API user, which an operator has made.",
};

export const labelServerSecret = {
  type: "http",
  scheme: "bearer",
  description: "The secret that Shelfwire and the label server share: its own, or `LABEL_SERVER_SECRET`.",
};
