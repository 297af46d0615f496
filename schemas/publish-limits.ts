import { type Static, Type } from "typebox";
import { count } from "./text.ts";

/** How many labels a publication may make worse. An absent number means no limit. */
export const PublishLimits = Type.Object(
  {
    blank: Type.Optional(count("Number of labels that may lose their design")),
    faulty: Type.Optional(count("Of the labels that were drawn, how many may newly show their background")),
    worse: Type.Optional(count("Of the labels that were drawn, how many may get new faults, errors or warnings")),
    canaryFaults: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          "A canary is stopped once the share of labels with a fault in its stores has risen by more than this; default 0.01",
      }),
    ),
  },
  {
    title: "PublishLimits",
    description: "A publication that exceeds these limits must be forced. An absent number means no limit",
  },
);
export type PublishLimits = Static<typeof PublishLimits>;

/** Limits of a tenant that has set none. */
export const DEFAULT_PUBLISH_LIMITS: PublishLimits = { blank: 0, faulty: 0, canaryFaults: 0.01 };
