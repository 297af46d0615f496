import { forecastOf, REPLACE_WITHIN_DAYS } from "../../../domain/labels/care/battery-due.ts";
import { isDueWithin } from "../../../domain/labels/care/battery-forecast.ts";
import { workCauseOf } from "../../../domain/labels/work/work-cause.ts";
import { readTypesByNumber } from "../../../records/linking/types-by-number.ts";
import type { Holds } from "../../../records/requests/held/holds.ts";
import { tenantOf } from "../../../schemas/keys.ts";
import type { WorkCauseName, WorkEntry, WorkMark } from "../../../schemas/work-list.ts";
import { judgeLabels } from "../../management/integrity/judge-labels.ts";
import type { OwnOfLabel } from "../../management/integrity/scan-labels.ts";
import type { CareOfTypes } from "../care/read-care.ts";
import type { ExplainDependencies } from "../explain/read-facts.ts";
import { readMarks } from "./work-marks.ts";

interface WorkDependencies extends ExplainDependencies {
  holds: Pick<Holds, "heldItems">;
}

/** A part of a store's labels: how many there are, and those that need attention. */
export interface WorkPart {
  labels: number;
  rows: WorkEntry[];
  isCut: boolean;
}

export type ReadWork = (store: string, now: Date, dateText: (date: Date) => string) => AsyncGenerator<WorkPart>;

/** Finds a store's labels that need attention, part by part; each record of a label is read once. */
export const createReadWork = (dependencies: WorkDependencies): ReadWork =>
  async function* readWork(store, now, dateText) {
    const { records, holds } = dependencies;
    const [held, types] = await Promise.all([holds.heldItems(store), readTypesByNumber(records, tenantOf(store))]);
    for await (const { judged, own, isCut } of judgeLabels(dependencies, store, now, true)) {
      const causes = new Map<string, WorkCauseName>();
      for (const { key, cause, itemIds } of judged) {
        const isHeld = itemIds.some((itemId) => held.has(itemId));
        const found = workCauseOf({ cause, isHeld, isBatteryDue: isBatteryDue(own.get(key), types, now) });
        if (found) causes.set(key, found);
      }
      const marks = await readMarks(records, causes, now);
      const rows = judged.flatMap(({ key, barcode, itemIds, since }): WorkEntry[] => {
        const cause = causes.get(key);
        if (cause === undefined) return [];
        const plLocation = own.get(key)?.plLocation ?? null;
        const assignment = assignmentOf(marks.get(key), dateText);
        return [{ barcode, plLocation, itemIds, cause, since: since ? dateText(since) : null, assignment }];
      });
      yield { labels: judged.length, rows, isCut };
    }
  };

const isBatteryDue = (own: OwnOfLabel | undefined, types: CareOfTypes, now: Date): boolean =>
  own !== undefined && isDueWithin(forecastOf(own, types.get(own.type) ?? {}, now), REPLACE_WITHIN_DAYS);

const assignmentOf = (mark: WorkMark | undefined, dateText: (date: Date) => string): WorkEntry["assignment"] =>
  mark === undefined
    ? null
    : {
        state: mark.state,
        assignee: mark.assignee ?? null,
        by: mark.by,
        at: dateText(mark.at),
        expiresAt: dateText(mark.expiresAt),
      };
