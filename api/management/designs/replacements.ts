import type { ReplacementCount, ReplacementQuery } from "../../../schemas/trial.ts";
import { ProblemError } from "../../http/problem-error.ts";

/**
 * Whether a write may replace what is there: what it would make worse, where that was counted. Throws `conflict` with the count
 * where labels would get worse and the call does not insist.
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
    first === undefined ? "" : ` On ${first.barcode} of the store ${first.storeId}: ${first.told.join("; ")}.`;
  const detail = `${whatIs} would make ${worse} of ${drawn} labels worse that were drawn with it, of ${labels} that show it.${told}`;
  throw new ProblemError(
    "conflict",
    `${detail} Send dryRun=true for the count, or force=true to replace it all the same.`,
  );
}
