import type { PositionFacts } from "./explanation-facts.ts";

/** Returns why a position has no design, worded as the end of a sentence. */
export function noDesignReason({ studioLink, designerLink, trace }: PositionFacts): string {
  const fault = studioLink?.fault ?? designerLink?.fault;
  if (fault !== undefined) return fault;
  if (trace === undefined) return "no design was chosen";
  const { match, designs } = trace;
  if (match === null) return ["no scenario applies", ...whyNoneHolds(trace)].join("; ");
  if (designs.length === 0) return `the scenario "${match.name}" names no design`;
  const reasons = designs.map(({ design_id, reason }) => `${design_id}: ${reason}`);
  return `the scenario "${match.name}" applies, but none of its designs fits: ${reasons.join("; ")}`;
}

/** Returns what could not be evaluated, and which inputs of the scenarios the item or label lacks. */
const whyNoneHolds = ({ scenarios }: NonNullable<PositionFacts["trace"]>): string[] =>
  scenarios
    .filter(({ isAsked }) => isAsked)
    .flatMap(({ name, error, missing }) => [
      ...(error === undefined ? [] : [`"${name}" could not be evaluated: ${error}`]),
      ...(missing.length === 0 ? [] : [`"${name}" requires ${missing.join(" and ")}, which is missing`]),
    ]);
