import { Schedule } from "../../schemas/schedule.ts";
import { recordKind } from "../kind.ts";

export const schedules = recordKind("schedule", Schedule, {
  indexes: [
    // What is due in a store, and what is due next in any; those without `due` that clean-up removes.
    { keys: { store: 1, due: 1 } },
    { keys: { due: 1, changedAt: 1 } },
    { keys: { "updates.failed.at": 1 }, sparse: true },
  ],
});
