import type { Handlers } from "../../queues/topology.ts";
import { labelOfLink } from "../../schemas/keys.ts";
import { type Change, urgencyOf } from "../../schemas/topics.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { MergerWorld } from "./world.ts";

/** Merger: derives what each label shows from the pictures of all its links. */
export function merger({ linksOfItems, deriveLabelImages }: MergerWorld): Handlers<"merger"> {
  const mergeLinks = (linkKeys: readonly string[], urgency: Urgency) =>
    deriveLabelImages([...new Set(linkKeys.map((link) => labelOfLink(link).label))], urgency);
  const mergeChanged = (changes: readonly Change[]) =>
    mergeLinks(
      changes.map(({ key }) => key),
      urgencyOf(changes),
    );
  return {
    "renderedimage.v1": mergeChanged,
    "ecceslimage.v1": mergeChanged,
    "pageimage.v1": async (changes) => {
      for await (const links of linksOfItems(changes.map(({ key }) => key)))
        await mergeLinks(links, urgencyOf(changes));
    },
  };
}
