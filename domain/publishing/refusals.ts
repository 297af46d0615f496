import type { PublicationCounts } from "../../schemas/publication.ts";
import type { PublishLimits } from "../../schemas/publish-limits.ts";

const texts = {
  blank: "would no longer have a design",
  faulty: "of those that were drawn would show only their background",
  worse: "of those that were drawn would get new faults, errors or warnings",
} as const;

/** Returns why a publication with these counts must be forced. Empty if it need not be. */
export const refusalsOf = (counts: PublicationCounts, limits: PublishLimits): string[] =>
  (["blank", "faulty", "worse"] as const).flatMap((name) => {
    const limit = limits[name];
    if (limit === undefined || counts[name] <= limit) return [];
    const [number, most] = [counts[name], limit === 0 ? "none may" : `at most ${limit} may`];
    return [`${number} ${number === 1 ? "label" : "labels"} ${texts[name]}; ${most}.`];
  });
