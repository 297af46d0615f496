import test from "ava";
import type { ScenarioOrder } from "../../../schemas/pack.ts";
import { check, inGroups, scenario } from "./a-pack.ts";

test("a scenario without an ID gets a unique one from its name", (t) => {
  const { pack, errors } = check([
    scenario("Special offer!"),
    scenario("Special Offer"),
    scenario("Other", { id: "special-offer-2" }),
    scenario("Žuto"),
  ]);
  t.deepEqual(errors, []);
  t.deepEqual(
    pack.scenarios.map(({ id }) => id),
    ["special-offer", "special-offer-3", "special-offer-2", "uto"],
  );
});

test("an ID consists of the first 48 plain characters of the name, with a dash for each run of others", (t) => {
  const { pack } = check([scenario(`A -- B ${"c".repeat(60)}`), scenario("€")]);
  t.deepEqual(
    pack.scenarios.map(({ id }) => id),
    [`a-b-${"c".repeat(44)}`, "scenario"],
  );
});

test("a duplicate ID is refused", (t) => {
  const { errors } = check([
    scenario("A", { id: "same" }),
    scenario("B", { children: [scenario("C", { id: "same" })] }),
  ]);
  t.deepEqual(errors, [
    { pointer: "/scenarios/1/children/0/id", scenario: "C", detail: 'the id "same" is defined twice' },
  ]);
});

test("scenarios with the same name get different IDs, however many there are", (t) => {
  const taken: ScenarioOrder[] = [scenario("Offer", { id: "offer-3" }), scenario("Offer", { id: "offer" })];
  const { pack } = check([...taken, scenario("Offer"), scenario("Offer"), scenario("offer!")]);
  t.deepEqual(
    pack.scenarios.map(({ id }) => id),
    ["offer-3", "offer", "offer-2", "offer-4", "offer-5"],
  );
  const many = check(inGroups(9_000, () => scenario("Offer")));
  const ids = many.pack.scenarios.flatMap(({ children }) => children.map(({ id }) => id));
  t.is(new Set(ids).size, ids.length);
});
