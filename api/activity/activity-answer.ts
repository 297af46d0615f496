import { matchingRows } from "../../domain/activity/matching-rows.ts";
import type { ActivityAnswer, ActivityEntry } from "../../schemas/activity.ts";
import { storeIds } from "../../schemas/keys.ts";

const MAX_ROWS = 20;

type Subjects = Parameters<typeof matchingRows>[1];

/** A log entry in a response, with its first rows about these subjects. */
export function activityAnswer(entry: ActivityEntry, subjects: Subjects, most = MAX_ROWS): ActivityAnswer {
  const { store, tenant, request, part, call } = entry;
  const rows = matchingRows(entry, subjects);
  return {
    at: entry.at,
    actor: entry.actor ?? null,
    storeId: store === tenant ? null : storeIds(store).storeId,
    operation: entry.operation,
    requestId: request ?? null,
    part: part ?? null,
    xRequestId: call ?? null,
    names: entry.names ?? {},
    fields: entry.fields ?? [],
    status: entry.status,
    decision: entry.decision ?? null,
    rows: rows.slice(0, most),
    rowCount: rows.length,
    place: entry.place,
    hash: entry.hash,
  };
}
