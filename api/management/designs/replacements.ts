import type { ReplacementCount, ReplacementQuery } from "../../../schemas/trial.ts";
import { ProblemError } from "../../http/problem-error.ts";

/**
 * Checks whether a write may replace the existing version, and returns what would get worse, if it was counted. Throws
 * `conflict` with the count if labels would get worse and the call does not force the replacement.
 */
export async function assertNoneWorse(
  { dryRun = false, force = false }: ReplacementQuery,
  whatIs: string,
  isReplaced: boolean,
  count: () => Promise<ReplacementCount>,
): Promise<ReplacementCount | undefined> {
  if (dryRun) return count();
  if (force || !isReplaced) return undefined;
  const counted = await count();
  const { worse, drawn, labels, examples } = counted;
  if (worse === 0) return counted;
  const [first] = examples;
  const told =
    first === undefined ? "" : ` For example ${first.barcode} in store ${first.storeId}: ${first.told.join("; ")}.`;
  const detail = `${whatIs} would cause new faults, errors or warnings on ${worse} of the ${drawn} labels that were tried, out of ${labels} that show it.${told}`;
  throw new ProblemError(
    "conflict",
    `${detail} Send dryRun=true for the full report, or force=true to replace it anyway.`,
  );
}
