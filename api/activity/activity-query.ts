import { Type } from "typebox";
import type { ActivityFilter } from "../../records/activity/activity-log.ts";
import { pageLimit } from "../../schemas/paging.ts";
import { identifier } from "../../schemas/text.ts";

const instant = (description: string) =>
  Type.String({ format: "instant", description, examples: ["2026-03-03T05:00:00.000Z"] });

const shared = {
  person: Type.Optional(identifier(256, "Only what this person, program or till did: the id of the actor")),
  from: Type.Optional(instant("Only from this time on, ISO 8601 in UTC")),
  to: Type.Optional(instant("Only before this time, ISO 8601 in UTC")),
  before: Type.Optional(identifier(512, "The `next` of the page before")),
  limit: Type.Optional(pageLimit(200)),
  format: Type.Optional(
    Type.Enum(["json", "csv", "ndjson"], {
      description:
        "`csv` and `ndjson` are whole: up to 100,000 entries, with a line for each row; they take precedence over the header Accept",
    }),
  ),
};
const ofStore = {
  item: Type.Optional(identifier(128, "Only what was about this item")),
  label: Type.Optional(identifier(64, "Only what was about the label with this barcode")),
};

/** Filters of the log of a store. */
export const StoreActivityQuery = Type.Object({ ...shared, ...ofStore });
/** Filters of the log of a tenant and all of its stores. */
export const TenantActivityQuery = Type.Object(shared);

/** The query of either. */
export interface ActivityQuery extends Omit<ActivityFilter, "owner"> {
  limit?: number;
  format?: "json" | "csv" | "ndjson";
}

/** Times as the log has them, which sorts them as texts. */
export const filterOf = (
  owner: ActivityFilter["owner"],
  { limit: _limit, format: _format, from, to, ...query }: ActivityQuery,
): ActivityFilter => ({
  owner,
  ...query,
  ...(from !== undefined && { from: new Date(from).toISOString() }),
  ...(to !== undefined && { to: new Date(to).toISOString() }),
});
