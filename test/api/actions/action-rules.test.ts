import test from "ava";
import fc from "fast-check";
import { type ActionFacts, interleaveByTransceivers, judgeAction } from "../../../api/actions/action-rules.ts";
import type { Label } from "../../../schemas/label.ts";

const now = new Date("2026-03-01T12:00:00Z");
const clock = { now, offlineAfterMs: 60_000 };
const departments = [
  { id: "1", alias: "floor", transceivers: ["T1", "T2"] },
  { id: "2", transceivers: ["T3"] },
  { id: "3", transceivers: [] },
];
const label = (fields: Partial<Label> = {}): Label => ({
  barcode: "A",
  type: 1328,
  modelName: "Medium",
  stamps: {},
  ...fields,
});
const heard = (msAgo: number): ActionFacts["state"] => ({
  wanted: [{ page: 0, image: "a" }],
  shown: [],
  lastSeen: new Date(now.getTime() - msAgo),
  checksIn: true,
});
const facts = (fields: Partial<ActionFacts> = {}): ActionFacts => ({
  label: label(),
  labelType: undefined,
  state: undefined,
  ...fields,
});

const judgements: [rule: string, Parameters<typeof judgeAction>, result: string, transceivers: string[]][] = [
  ["a label in no department is reached by all", [facts(), true, departments, clock], "OK", ["T1", "T2", "T3"]],
  [
    "a label in a department is reached by its transceivers",
    [facts({ label: label({ linkDepartment: "floor" }) }), true, departments, clock],
    "OK",
    ["T1", "T2"],
  ],
  [
    "homeTrx wins over the department",
    [facts({ label: label({ linkDepartment: "floor", homeTrx: "T3" }) }), true, departments, clock],
    "OK",
    ["T3"],
  ],
  [
    "a department named by the call wins over homeTrx",
    [facts({ label: label({ homeTrx: "T3" }) }), true, departments, clock, { linkDepartment: "1" }],
    "OK",
    ["T1", "T2"],
  ],
  [
    "a label that does not exist yet is reached through the named department",
    [facts({ label: undefined }), true, departments, clock, { linkDepartment: "2" }],
    "OK",
    ["T3"],
  ],
  ["an unsupported action is UNSUPPORTED", [facts(), false, departments, clock], "UNSUPPORTED", []],
  [
    "an unsupported action is UNSUPPORTED even if the label is OFFLINE",
    [facts({ state: heard(60_001) }), false, departments, clock],
    "UNSUPPORTED",
    [],
  ],
  ["an OFFLINE label is UNREACHABLE", [facts({ state: heard(60_001) }), true, departments, clock], "UNREACHABLE", []],
  [
    "a label heard from recently enough is reachable",
    [facts({ state: heard(60_000), label: label({ homeTrx: "T1" }) }), true, departments, clock],
    "OK",
    ["T1"],
  ],
  ["a store without transceivers reaches no label", [facts(), true, [], clock], "UNREACHABLE", []],
  [
    "a department without transceivers reaches no label",
    [facts(), true, departments, clock, { linkDepartment: "3" }],
    "UNREACHABLE",
    [],
  ],
  [
    "a removed home transceiver reaches no label",
    [facts({ label: label({ homeTrx: "T9" }) }), true, departments, clock],
    "UNREACHABLE",
    [],
  ],
];
for (const [rule, given, result, transceivers] of judgements) {
  test(rule, (t) => t.deepEqual(judgeAction(...given), { result: result, transceivers }));
}

const order = fc.record({ id: fc.nat(), transceivers: fc.subarray(["T1", "T2", "T3"]) });

test("orders are interleaved: none is lost, each transceiver's orders stay in sequence, and no transceiver waits for another", (t) => {
  fc.assert(
    fc.property(fc.array(order, { maxLength: 40 }), (orders) => {
      const turns = interleaveByTransceivers(orders);
      const groupsOf = (group: typeof orders) => Map.groupBy(group, ({ transceivers }) => transceivers.join());
      const groups = groupsOf(orders);
      t.deepEqual(groupsOf(turns), new Map([...groupsOf(turns).keys()].map((key) => [key, groups.get(key) ?? []])));
      t.is(turns.length, orders.length);
      for (const [index, { transceivers }] of turns.entries()) {
        // Before each order, no group is more than one order ahead of the order's own group.
        const before = turns.slice(0, index);
        const own = before.filter((one) => one.transceivers.join() === transceivers.join()).length;
        for (const group of groupsOf(before).values()) t.true(group.length <= own + 1);
      }
    }),
  );
});
