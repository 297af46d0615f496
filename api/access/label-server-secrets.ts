import { timingSafeEqual } from "node:crypto";
import { digestOf, type LabelServerDirectory, serverKeyOf } from "../../records/label-server-directory.ts";
import { createReadPlaces } from "../../records/labels/read-places.ts";
import type { Records } from "../../records/records.ts";
import { labelKey } from "../../schemas/keys.ts";
import type { LabelReport } from "../../schemas/label-report.ts";

/** Of which label a report is. */
type Subject = Pick<LabelReport, "store" | "barcode">;

/** Returns those of these reports that the label server must not make. */
type ForeignReports = <Of extends Subject>(reports: readonly Of[]) => Promise<Of[]>;

/** Finds the label server with this secret; undefined if there is none. */
export type FindReporter = (secret: string) => Promise<ForeignReports | undefined>;

const MAX_AGE_MS = 5_000;

/**
 * A label server reports of the labels that are on it: one of a tenant of those whose store or department names it, the
 * installation's, which has one of `secrets`, of all others. Which labels of a divided store are on it, their records say: they
 * are read for reports of such stores only.
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
    // All are compared, so that the duration does not reveal which one matches.
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
      // A label server that has just been set up is not rejected.
      return foreign.length === 0 ? [] : findForeign(await readDirectory(0), foreign);
    };
  };
}
