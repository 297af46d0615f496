import test from "ava";
import fc from "fast-check";
import { listWork } from "../../../../api/labels/work/list-work.ts";
import type { WorkPart } from "../../../../api/labels/work/read-work.ts";
import { rankOf } from "../../../../domain/labels/work/work-cause.ts";
import { inBatches } from "../../../../schemas/in-batches.ts";
import { type WorkEntry, workCauseNames } from "../../../../schemas/work-list.ts";

const by = { kind: "user", id: "ana", channel: "pages" } as const;
const entry: fc.Arbitrary<WorkEntry> = fc.record({
  barcode: fc.uuid(),
  plLocation: fc.constantFrom(null, "A-1", "A-10", "B", "Č"),
  itemIds: fc.constant<string[]>([]),
  cause: fc.constantFrom(...workCauseNames),
  since: fc.constant(null),
  assignment: fc.constantFrom(
    null,
    ...(["ASSIGNED", "DONE"] as const).map((state) => ({ state, assignee: "ana", by, at: "", expiresAt: "" })),
  ),
});
const entries = fc.uniqueArray(entry, { selector: ({ barcode }) => barcode, maxLength: 40 });

async function* partsOf(rows: readonly WorkEntry[]): AsyncGenerator<WorkPart> {
  for (const batch of inBatches(rows, 7)) yield { labels: batch.length + 1, rows: [...batch], isCut: false };
}

test("pages list each label once, by cause, location and barcode, and the counts add up", async (t) => {
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.constantFrom(undefined, ...workCauseNames),
      fc.integer({ min: 1, max: 9 }),
      async (all, cause, limit) => {
        const isListed = (one: WorkEntry) => cause === undefined || one.cause === cause;
        const found: WorkEntry[] = [];
        for (let after: Awaited<ReturnType<typeof listWork>>["next"]; ; ) {
          const page = await listWork(partsOf(all), { isListed, after, limit });
          t.is(page.work, all.length);
          t.is(
            page.causes.reduce((sum, count) => sum + count.labels, 0),
            all.length,
          );
          t.true(page.entries.length <= limit);
          for (const count of page.causes) {
            const same = all.filter((one) => one.cause === count.cause);
            const inState = (state: string) => same.filter(({ assignment }) => assignment?.state === state).length;
            t.deepEqual(count, {
              cause: count.cause,
              labels: same.length,
              assigned: inState("ASSIGNED"),
              done: inState("DONE"),
            });
          }
          found.push(...page.entries);
          after = page.next;
          if (after === undefined) break;
        }
        const keyOf = (one: WorkEntry) => [rankOf(one.cause), one.plLocation ?? "\uffff", one.barcode].join(" ");
        t.deepEqual(found.map(keyOf), all.filter(isListed).map(keyOf).sort());
      },
    ),
    { numRuns: 60 },
  );
});
