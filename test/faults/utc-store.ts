import { stores } from "../../records/kinds/tenants.ts";
import { DEMO_STORE } from "../harness/glass.ts";
import type { Shelfwire } from "../harness/shelfwire.ts";

/** Moves the demo store to UTC: in its own zone, the local times of an hour exist twice when summer ends. */
export async function moveStoreToUtc({ system }: Pick<Shelfwire, "system">): Promise<void> {
  await system.commit.change(
    stores,
    [DEMO_STORE],
    (_, current) => current && { ...current, timeZone: "UTC" },
    "interactive",
  );
}

/** Formats a time in UTC, as in calls and responses of the moved store. */
export const utcText = (time: Date | number): string => new Date(time).toISOString().slice(0, 19).replace("T", " ");
