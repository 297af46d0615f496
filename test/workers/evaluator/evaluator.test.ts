import test from "ava";
import type { Change } from "../../../schemas/topics.ts";
import { evaluator } from "../../../workers/evaluator/index.ts";

const changeOf = (key: string): Change => ({ key, rev: 2, operation: "UPDATED", changed: [], urgency: "bulk" });

test("rule 10: a change of the active pack has its tenant's links evaluated anew, a draft's has not", async (t) => {
  const begun: string[][] = [];
  const handlers = evaluator({
    linksOfItems: async () => [],
    deriveStudioLinks: async () => {},
    ofActivePacks: async (changes) => changes.filter(({ key }) => key.endsWith("/active")),
    reevaluate: async (...one) => {
      begun.push(one);
    },
  });
  const packs = ["t/a/communicationpacks/active", "t/a/communicationpacks/draft", "t/b/communicationpacks/draft"];
  await handlers["communicationpack.v1"](packs.map(changeOf));
  t.deepEqual(begun, [["t/a", "t/a/communicationpacks/active is at rev 2"]]);
});
