import { studioLinks } from "../../../records/kinds/links.ts";
import type { Shown } from "../../../schemas/image.ts";
import type { ExplainDependencies } from "../../labels/explain/read-facts.ts";

/**
 * Of these links, as pictures show them, the keys of those whose choice of a design may wait: the rules choose otherwise
 * than is stored, or what is stored is not what the picture shows.
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
