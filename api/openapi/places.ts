import type { Tag } from "./prose.ts";

const actions = ["flash", "flash-with-department", "display-page", "refresh"];

/** Returns the tag for a store's operation, by its path. */
export function tagOf(path: string): Tag {
  const segments = path.split("/").filter((segment) => segment !== "");
  const [first = ""] = segments;
  if (first.endsWith("-result")) return "Results";
  if (first === "activity") return "Activity";
  if (segments.some((segment) => actions.includes(segment))) return "Actions";
  if (segments[1] === "models") return "Models";
  if (segments.some((segment) => segment === "links" || segment === "link-single")) return "Links";
  return ["items", "law-findings", "price-lists"].includes(first ?? "") ? "Items" : "Labels";
}

/** Returns the id of the operation for a request's result: link and unlink requests have a row for each label. */
export const resultOperationOf = (path: string): string =>
  tagOf(path) === "Items" ? "getItemsResult" : "getLabelsResult";

/** Returns the tag for a tenant's or the operator's operation, by its path. */
export function tenantTagOf(path: string): Tag {
  const [first = ""] = path.split("/").filter((segment) => segment !== "");
  return tenantTags[first] ?? "Operation";
}

const tenantTags: Readonly<Record<string, Tag>> = {
  subscriptions: "Events",
  topics: "Events",
  "communication-packs": "Rules",
  designs: "Designs",
  "canvas-designs": "Designs",
  images: "Designs",
  fonts: "Designs",
  tenants: "Tenants",
  "label-servers": "Label servers",
  "tenant-activity": "Activity",
  users: "Access",
  people: "Access",
  tokens: "Access",
  stores: "Stores",
  models: "Models",
  "label-types": "Models",
};
