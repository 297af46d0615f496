import type { Handlers } from "../../queues/topology.ts";
import type { LabelReport } from "../../schemas/label-server.ts";
import { type Urgency, urgencyOf } from "../../schemas/topics.ts";

/** What the transmitter needs of the world. */
export interface Dependencies {
  /** Notes what these labels should show, from eslimage.v1, and sends what they do not show yet. */
  showImages(labelKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Notes what labels reported, and sends what must be sent next. */
  noteReports(reports: readonly LabelReport[]): Promise<void>;
}

/** Transmitter: does each label show what it should? (design, section 8) */
export const transmitter = ({ showImages, noteReports }: Dependencies): Handlers<"transmitter"> => ({
  "eslimage.v1": async (changes) =>
    showImages(
      changes.map(({ key }) => key),
      urgencyOf(changes),
    ),
  reports: async (batches) => {
    await noteReports(batches.flatMap(({ reports }) => reports));
    return [];
  },
});
