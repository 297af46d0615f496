import { timingSafeEqual } from "node:crypto";
import { digestOf, type LabelServerDirectory, serverKeyOf } from "../../records/label-server-directory.ts";
import { createReadPlaces } from "../../records/labels/read-places.ts";
import type { Records } from "../../records/records.ts";
import { labelKey } from "../../schemas/keys.ts";
import type { LabelReport } from "../../schemas/label-report.ts";

/** The label that a report is about. */
type Subject = Pick<LabelReport, "store" | "barcode">;

/** Returns the reports that this label server must not send. */
type ForeignReports = <Of extends Subject>(reports: readonly Of[]) => Promise<Of[]>;

/** Finds the label server with this secret; undefined if there is none. */
export type FindReporter = (secret: string) => Promise<ForeignReports | undefined>;

const MAX_AGE_MS = 5_000;

/**
 * A label server may report only on its own labels. A tenant's label server serves the labels of the stores and departments
 * that name it. The installation's label server, which uses one of `secrets`, serves all others. If several label servers share
 * a store, the labels' records say which server each label is on. These records are read only for reports from such stores.
 */
export function createFindReporter(
  secrets: readonly string[],
  readDirectory: (maxAgeMs: number) => Promise<LabelServerDirectory>,
  records: Pick<Records, "readFields">,
): FindReporter {
  const ofInstallation = secrets.map((secret) => Buffer.from(digestOf(secret)));

  return async (text) => {
    const digest = digestOf(text);
    const given = Buffer.from(digest);
    // Every secret is compared, so that the duration does not reveal which one matches.
    const isInstallation = ofInstallation.filter((known) => timingSafeEqual(known, given)).length > 0;
    const findForeign = async <Of extends Subject>(directory: LabelServerDirectory, reports: readonly Of[]) => {
      const isDivided = (store: string) => directory.departmentsOf.has(store);
      const keyOf = ({ store, barcode }: Subject) => labelKey(store, barcode);
      const placeOf = await createReadPlaces(records, { isDivided })(reports.map(keyOf));
      return reports.filter((report) => {
        const server = serverKeyOf(directory, placeOf(keyOf(report)));
        return server === undefined ? !isInstallation : !directory.withSecret.get(digest)?.includes(server);
      });
    };
    const isKnown = async (maxAgeMs: number) => (await readDirectory(maxAgeMs)).withSecret.has(digest);
    if (!isInstallation && !(await isKnown(MAX_AGE_MS)) && !(await isKnown(0))) return undefined;
    return async (reports) => {
      const foreign = await findForeign(await readDirectory(MAX_AGE_MS), reports);
      // Read again, so that a label server that has just been set up is not rejected.
      return foreign.length === 0 ? [] : findForeign(await readDirectory(0), foreign);
    };
  };
}
