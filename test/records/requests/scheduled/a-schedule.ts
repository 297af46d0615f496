import {
  assignStamps,
  dueUpdates,
  enterUpdate,
  finishUpdates,
  rankUpdates,
} from "../../../../records/requests/scheduled-updates.ts";
import type { Schedule } from "../../../../schemas/schedule.ts";
import { stampOf } from "../../../../schemas/stamp.ts";

/** The time this many seconds after the epoch. */
export const at = (second: number): Date => new Date(second * 1000);
/** An update with this number and time. */
export const update = (number: number, second: number, row = 0, patch = "{}") => ({
  due: at(second),
  stamp: stampOf(number, row),
  patch,
});

/** A schedule with updates of these numbers and times. */
export function scheduleOf(...entries: [number: number, second: number][]): Schedule {
  return entries.reduce<Schedule>((schedule, [number, second]) => entered(schedule, update(number, second)), {
    itemId: "milk",
    updates: [],
  });
}

/** Returns the schedule after an update is added. */
export function entered(schedule: Schedule | undefined, added: ReturnType<typeof update>): Schedule {
  const next = enterUpdate(schedule, "milk", added);
  if ("code" in next) throw new Error(next.code);
  return next;
}

/** Returns the schedule after its due updates are assigned stamps. */
export function claim(schedule: Schedule, until: Date, number: number): Schedule {
  const ranked = rankUpdates(dueUpdates(schedule, until, number), number);
  return assignStamps(schedule, new Map(ranked.map(({ stamp, index }) => [stamp, index])), number);
}

/** Returns the schedule after updates are applied. */
export const done = (schedule: Schedule, number: number, ...stamps: number[]) =>
  finishUpdates(schedule, number, new Map(stamps.map((stamp) => [stamp, { errors: [] }])), at(0));
