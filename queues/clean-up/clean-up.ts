import type { Db } from "mongodb";
import type { Logger } from "pino";
import type { ActivityLog } from "../../records/activity/activity-log.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import type { Uploads } from "../../records/files/uploads.ts";
import type { GlassLog } from "../../records/glass-log.ts";
import type { IdempotencyKeys } from "../../records/leases/idempotency-keys.ts";
import type { Leases } from "../../records/leases/leases.ts";
import type { Records } from "../../records/records.ts";
import type { Journal } from "../../records/requests/journal.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import type { OpenChunks } from "../../records/requests/open-chunks.ts";
import type { Commit } from "../changes/commit.ts";
import type { Partition, Partitions } from "../store-partitions.ts";
import { forgetActivity } from "./activity.ts";
import { forgetSequences } from "./flash-sequences.ts";
import { forgetPictures } from "./pictures.ts";
import { forgetPriceLists } from "./price-lists.ts";
import { CONTENT_TTL_MS, forgetContents } from "./publication-contents.ts";
import { forgetRemovedTenants } from "./removed-tenants.ts";
import { forgetRequests } from "./requests.ts";
import { EMPTY_SCHEDULE_TTL_MS, forgetEmptySchedules, forgetFailedUpdates } from "./schedules.ts";
import { forgetAssignments } from "./sic-assignments.ts";
import { forgetSwitches } from "./switches.ts";
import { beginTimeSlice, type TimeSlice } from "./time-slice.ts";
import { forgetTombstones, SETTLED_TTL_MS } from "./tombstones.ts";
import { forgetUploads, UPLOAD_TTL_MS } from "./uploads.ts";
import { forgetWorkMarks } from "./work-marks.ts";

interface Dependencies {
  db: Db;
  records: Records;
  commit: Commit;
  journal: Journal;
  idempotencyKeys: IdempotencyKeys;
  imageFiles: ImageFiles;
  uploads: Uploads;
  glassLog: Pick<GlassLog, "forget">;
  activityLog: Pick<ActivityLog, "readEnds" | "scanEnds" | "forget">;
  openChunks: OpenChunks;
  leases: Leases;
  partitions: Pick<Partitions, "all">;
  numbers: Pick<Numbers, "settledThrough">;
  now(): Date;
  /** Seconds. */
  resultTtl: number;
  /** Seconds. */
  glassHistory: number;
  /** Days. */
  activityDays: number;
  /** Days. */
  undoDays: number;
  log: Logger;
}

export const CLEAN_UP_INTERVAL_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
const LEASE_MS = CLEAN_UP_INTERVAL_MS / 2;

/** Deletes expired data of each kind within a time slice; returns how much was deleted. */
type Slices = Readonly<Record<string, (slice: TimeSlice) => Promise<number>>>;

/**
 * Deletes expired data. After `RESULT_TTL`: applied requests, responses to calls with an Idempotency-Key, ended flash sequences
 * and failed scheduled updates. After `UNDO_DAYS`: price lists. After `GLASS_HISTORY`: the history of what labels showed, and
 * switches. After `ACTIVITY_DAYS`: the activity log. Once nothing needs them: tombstones and SIC assignments, empty schedules,
 * work list marks, pictures, uploads, the contents of publications, and all data of removed tenants. Data that grows with labels
 * and pictures is deleted partition by partition, each under its own lease, so that processes share the work; one process
 * deletes the rest. Each kind of data has a time slice; what is left at its end is deleted in the next pass.
 */
export async function cleanUp(dependencies: Dependencies): Promise<void> {
  const { partitions, log } = dependencies;
  const counts: Record<string, number> = {};
  await runSlices(dependencies, "clean-up", slicesOfAll(dependencies), counts);
  for (const partition of await partitions.all())
    await runSlices(dependencies, `clean-up of ${partition.$gte}`, slicesOf(dependencies, partition), counts);
  if (Object.values(counts).some((count) => count > 0)) log.info(counts, "deleted data that is no longer needed");
}

async function runSlices(dependencies: Dependencies, lease: string, slices: Slices, counts: Record<string, number>) {
  for (const [name, run] of Object.entries(slices)) {
    const slice = beginTimeSlice(dependencies, lease, LEASE_MS);
    if (!(await slice.renew())) return;
    counts[name] = (counts[name] ?? 0) + (await run(slice));
  }
}

function slicesOfAll(dependencies: Dependencies): Slices {
  const { idempotencyKeys, now, resultTtl, glassHistory, undoDays } = dependencies;
  const began = now().getTime();
  const expired = new Date(began - resultTtl * 1000);
  const settledSince = new Date(began - SETTLED_TTL_MS);
  const emptySince = new Date(began - EMPTY_SCHEDULE_TTL_MS);
  return {
    chunks: (slice) => forgetRequests(dependencies, expired, slice),
    failedUpdates: (slice) => forgetFailedUpdates(dependencies, expired, slice),
    schedules: (slice) => forgetEmptySchedules(dependencies, emptySince, slice),
    tombstones: (slice) => forgetTombstones(dependencies, settledSince, slice),
    assignments: (slice) => forgetAssignments(dependencies, settledSince, slice),
    sequences: (slice) => forgetSequences(dependencies, expired, slice),
    // Kept as long as the history of what labels showed.
    switches: (slice) => forgetSwitches(dependencies, new Date(began - glassHistory * 1000), slice),
    workMarks: (slice) => forgetWorkMarks(dependencies, now(), slice),
    priceLists: (slice) => forgetPriceLists(dependencies, new Date(began - undoDays * DAY_MS), slice),
    keys: ({ goOn }) => idempotencyKeys.forget(expired, goOn),
    contents: (slice) => forgetContents(dependencies, new Date(began - CONTENT_TTL_MS), slice),
    tenants: (slice) => forgetRemovedTenants(dependencies, slice),
  };
}

function slicesOf(dependencies: Dependencies, partition: Partition): Slices {
  const { glassLog, now, glassHistory, activityDays } = dependencies;
  const began = now().getTime();
  return {
    glass: ({ goOn }) => glassLog.forget(new Date(began - glassHistory * 1000), partition, goOn),
    activity: (slice) => forgetActivity(dependencies, new Date(began - activityDays * DAY_MS), partition, slice),
    images: (slice) => forgetPictures(dependencies, partition, slice),
    files: (slice) => forgetUploads(dependencies, new Date(began - UPLOAD_TTL_MS), partition, slice),
  };
}
