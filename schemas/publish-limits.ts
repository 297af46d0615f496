import { type Static, Type } from "typebox";
import { count } from "./text.ts";

/** What labels a publication may make worse. Absent: any number. */
export const PublishLimits = Type.Object(
  {
    blank: Type.Optional(count("Labels that may lose their design")),
    faulty: Type.Optional(count("Labels, of those that were drawn, that may newly show their background")),
    worse: Type.Optional(count("Labels, of those that were drawn, that may get new faults, errors or warnings")),
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
    description: "Above these a publication must be forced. A number that is absent has no limit",
  },
);
export type PublishLimits = Static<typeof PublishLimits>;

/** Limits of a tenant that has set none. */
export const DEFAULT_PUBLISH_LIMITS: PublishLimits = { blank: 0, faulty: 0, canaryFaults: 0.01 };
