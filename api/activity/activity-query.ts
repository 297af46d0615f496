import { Type } from "typebox";
import type { ActivityFilter } from "../../records/activity/activity-log.ts";
import { pageLimit } from "../../schemas/paging.ts";
import { identifier } from "../../schemas/text.ts";

const instant = (description: string) =>
  Type.String({ format: "instant", description, examples: ["2026-03-03T05:00:00.000Z"] });

const shared = {
  person: Type.Optional(identifier(256, "Only actions of this person, program or till: the id of the actor")),
  from: Type.Optional(instant("Only entries from this time on, ISO 8601 in UTC")),
  to: Type.Optional(instant("Only entries before this time, ISO 8601 in UTC")),
  before: Type.Optional(identifier(512, "The `next` of the previous page")),
  limit: Type.Optional(pageLimit(200)),
  format: Type.Optional(
    Type.Enum(["json", "csv", "ndjson"], {
      description:
        "`csv` and `ndjson` return the whole log: up to 100,000 entries; `csv` has a line for each row, `ndjson` one for each entry. They take precedence over the header Accept",
    }),
  ),
};
const ofStore = {
  item: Type.Optional(identifier(128, "Only entries about this item")),
  label: Type.Optional(identifier(64, "Only entries about the label with this barcode")),
};

/** Filters for a store's log. */
export const StoreActivityQuery = Type.Object({ ...shared, ...ofStore });
/** Filters for the log of a tenant and all of its stores. */
export const TenantActivityQuery = Type.Object(shared);

/** The query for either log. */
export interface ActivityQuery extends Omit<ActivityFilter, "owner"> {
  limit?: number;
  format?: "json" | "csv" | "ndjson";
}

/** Converts the times to the format of the log, which sorts them as text. */
export const filterOf = (
  owner: ActivityFilter["owner"],
  { limit: _limit, format: _format, from, to, ...query }: ActivityQuery,
): ActivityFilter => ({
  owner,
  ...query,
  ...(from !== undefined && { from: new Date(from).toISOString() }),
  ...(to !== undefined && { to: new Date(to).toISOString() }),
});
