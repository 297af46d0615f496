import test from "ava";
import type { Change } from "../../../schemas/topics.ts";
import { evaluator } from "../../../workers/evaluator/index.ts";

const changeOf = (key: string): Change => ({ key, rev: 2, operation: "UPDATED", changed: [], urgency: "bulk" });

test("rule 10: a change to the active pack causes its tenant's links to be evaluated again, and a change to an inactive pack does not", async (t) => {
  const begun: string[][] = [];
  const handlers = evaluator({
    linksOfItems: async function* () {},
    deriveStudioLinks: async () => {},
    ofActivePacks: async (changes) => changes.filter(({ key }) => key.endsWith("/active")),
    reevaluate: async (...one) => {
      begun.push(one);
    },
  });
  const packs = ["t/a/communicationpacks/active", "t/a/communicationpacks/inactive", "t/b/communicationpacks/inactive"];
  await handlers["communicationpack.v1"](packs.map(changeOf));
  t.deepEqual(begun, [["t/a", "t/a/communicationpacks/active is at rev 2"]]);
});

test("changes to items and their store-level links cause the items' links to be evaluated, and a change to a link causes only that link to be evaluated", async (t) => {
  const derived: [keys: readonly string[], urgency: string][] = [];
  const handlers = evaluator({
    linksOfItems: async function* (keys) {
      yield keys.map((key) => `${key}/link`);
    },
    deriveStudioLinks: async (keys, urgency) => void derived.push([keys, urgency]),
    ofActivePacks: async () => [],
    reevaluate: async () => {},
  });
  await handlers["storeitemvalues.v1"]([changeOf("milk"), changeOf("bread")]);
  await handlers["storelink.v1"]([changeOf("milk")]);
  await handlers["link.v2"]([changeOf("A4-0"), { ...changeOf("A4-1"), urgency: "interactive" }]);
  t.deepEqual(derived, [
    [["milk/link", "bread/link"], "bulk"],
    [["milk/link"], "bulk"],
    [["A4-0", "A4-1"], "interactive"],
  ]);
});

test("a store's new time zone causes its links to be evaluated again", async (t) => {
  const begun: string[] = [];
  const handlers = evaluator({
    linksOfItems: async function* () {},
    deriveStudioLinks: async () => {},
    ofActivePacks: async () => [],
    reevaluate: async (owner) => void begun.push(owner),
  });
  await handlers.store([
    { ...changeOf("t/a/s/moved"), changed: ["timeZone"] },
    { ...changeOf("t/a/s/renamed"), changed: ["name", "locale"] },
  ]);
  t.deepEqual(begun, ["t/a/s/moved"]);
});
