import { studioLinks } from "../../../records/kinds/links.ts";
import type { Shown } from "../../../schemas/image.ts";
import type { ExplainDependencies } from "../../labels/explain/read-facts.ts";

/**
 * Returns the keys of all `drawn` links whose design choice may be pending because the rules choose differently from
 * the stored choice, or the stored choice differs from the picture.
 */
export async function findWaitingChoices(
  { records, findStale, studioLinkRule }: Pick<ExplainDependencies, "records" | "findStale" | "studioLinkRule">,
  drawn: readonly Pick<Shown, "link" | "design">[],
): Promise<Set<string>> {
  const keys = drawn.map(({ link }) => link);
  const [undecided, chosen] = await Promise.all([
    findStale(studioLinkRule, keys),
    records.readFields(studioLinks, keys, ["design_id"]),
  ]);
  const isOther = ({ link, design }: Pick<Shown, "link" | "design">) => {
    const choice = chosen.get(link);
    return choice !== undefined && choice.design_id !== (design ?? null);
  };
  return new Set([...undecided, ...drawn.filter(isOther).map(({ link }) => link)]);
}
