import type { Handlers } from "../../queues/topology.ts";
import { labelOfLink } from "../../schemas/keys.ts";
import { type Urgency, urgencyOf } from "../../schemas/topics.ts";

/** What the merger needs of the world. */
export interface Dependencies {
  /** Composes the pictures of these labels anew where one that they are composed of has moved. */
  deriveLabelImages(labelKeys: readonly string[], urgency: Urgency): Promise<void>;
}

/** Merger: what does each label show, of all its links? (specification, Rendering) */
export const merger = ({ deriveLabelImages }: Dependencies): Handlers<"merger"> => ({
  "renderedimage.v1": async (changes) =>
    deriveLabelImages(
      changes.map(({ key }) => labelOfLink(key).label),
      urgencyOf(changes),
    ),
});
