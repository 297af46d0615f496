import { Schedule } from "../../schemas/schedule.ts";
import { recordKind } from "../kind.ts";

export const schedules = recordKind("schedule", Schedule, { indexes: [{ keys: { due: 1 }, sparse: true }] });
