import { createHash } from "node:crypto";
import { pino } from "pino";
import { createKeepActivity } from "../../../queues/activity/keep-activity.ts";
import { cleanUp } from "../../../queues/clean-up/clean-up.ts";
import { openActivityLog } from "../../../records/activity/activity-log.ts";
import { openCallNotes } from "../../../records/activity/call-notes.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { openUploads } from "../../../records/files/uploads.ts";
import { openGlassLog } from "../../../records/glass-log.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { openLeases } from "../../../records/leases/leases.ts";
import { journalCollection, openJournal } from "../../../records/requests/journal.ts";
import type { ImageFile } from "../../../schemas/image-file.ts";
import { type ASystem, RESULT_TTL } from "../../harness/system.ts";

export const TENANT = "t/demo";
export const STORE = `${TENANT}/s/main`;
export const NOW = new Date("2026-03-10T08:00:00Z");
export const DAY_MS = 86_400_000;
/** A clock that is this far before `NOW`. */
export const ago = (ms: number) => (): Date => new Date(NOW.getTime() - ms);

type Parts = Parameters<typeof cleanUp>[0];

/** Clean-up passes over a system, and the pictures, records and requests that they keep or delete. */
export function cleanUpOf(world: ASystem) {
  return {
    async runCleanUp(now = ago(0), holder = world.system.holder, further: Partial<Parts> = {}) {
      const { db, now: present } = world.system;
      const activityLog = openActivityLog(db);
      await createKeepActivity({ ...world.system, activityLog, callNotes: openCallNotes(db, present) })();
      return cleanUp({
        ...world.system,
        imageFiles: openImageFiles(world.system.db, now),
        uploads: openUploads(world.system.db, now),
        leases: openLeases({ ...world.system, holder, now }),
        now,
        glassLog: openGlassLog(world.system.db),
        activityLog,
        resultTtl: RESULT_TTL,
        activityDays: 365,
        undoDays: 7,
        glassHistory: (35 * DAY_MS) / 1000,
        log: pino({ level: "silent" }),
        ...further,
      });
    },

    /** A picture that was marked as used `usedAgo` milliseconds ago. */
    async picture(name: string, usedAgo: number, tenant = TENANT): Promise<string> {
      const sha256 = createHash("sha256").update(name).digest("hex");
      const file: ImageFile = { sha256, png: Buffer.from(name), width: 1, height: 1 };
      await openImageFiles(world.system.db, ago(usedAgo)).put(tenant, [file]);
      return sha256;
    },

    isStored: async (sha256: string, tenant = TENANT): Promise<boolean> =>
      (await openImageFiles(world.system.db, ago(0)).read(tenant, [sha256])).has(sha256),

    set: <Body>(kind: RecordKind<Body>, key: string, body: Body) =>
      world.system.commit.change(kind, [key], () => body, "bulk"),

    /** A request that was applied `appliedAgo` milliseconds ago, or, if undefined, that is still open. */
    async request(name: string, appliedAgo: number | undefined) {
      const store = `${TENANT}/s/${name}`;
      const rows = Array.from({ length: 1_001 }, () => ({}));
      const chunks = await world.system.accept({ store, operation: "patch-items", rows, ordered: false });
      if (appliedAgo !== undefined) {
        const journal = openJournal(world.system.db, ago(appliedAgo));
        await journal.settle(new Map(chunks.map(({ _id }) => [_id, []])));
      }
      return () => journalCollection(world.system.db).countDocuments({ store });
    },
  };
}
