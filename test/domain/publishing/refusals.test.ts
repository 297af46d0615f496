import test from "ava";
import { refusalsOf } from "../../../domain/publishing/refusals.ts";
import type { PublicationCounts } from "../../../schemas/publication.ts";
import { DEFAULT_PUBLISH_LIMITS, type PublishLimits } from "../../../schemas/publish-limits.ts";

const counts = (some: Partial<PublicationCounts>): PublicationCounts => ({
  ...{ checked: 9, labels: 9, redesigned: 0, blank: 0, changes: [], drawn: 9, faulty: 0, worse: 0, cut: 0 },
  ...{ isBounded: false, examples: [] },
  ...some,
});

const cases: [string, Partial<PublicationCounts>, PublishLimits, RegExp[]][] = [
  ["nothing gets worse", {}, DEFAULT_PUBLISH_LIMITS, []],
  [
    "one label becomes blank",
    { blank: 1 },
    DEFAULT_PUBLISH_LIMITS,
    [/^1 label would no longer have a design.*none may\.$/],
  ],
  ["labels become faulty", { faulty: 123 }, DEFAULT_PUBLISH_LIMITS, [/^123 labels .* background; none may\.$/]],
  ["new warnings have no limit by default", { worse: 9 }, DEFAULT_PUBLISH_LIMITS, []],
  ["as many new warnings as the limit allows", { worse: 2 }, { worse: 2 }, []],
  ["more new warnings than the limit allows", { worse: 3, blank: 5 }, { worse: 2 }, [/^3 labels .* at most 2 may\.$/]],
];
for (const [what, some, limits, expected] of cases) {
  test(`whether a publication is refused: ${what}`, (t) => {
    const refusals = refusalsOf(counts(some), limits);
    t.is(refusals.length, expected.length);
    for (const [index, pattern] of expected.entries()) t.regex(refusals[index] ?? "", pattern);
  });
}
