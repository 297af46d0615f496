import { readFile } from "node:fs/promises";
import test from "ava";
import {
  afterEvent,
  afterItemCheck,
  type LinkEvent,
  type LinkState,
  stateOf,
  transitions,
} from "../../../domain/linking/link-transitions.ts";
import type { Link } from "../../../schemas/link.ts";

const states = Object.keys(transitions) as LinkState[];
const events = Object.keys(transitions.NONE) as LinkEvent[];

/** A link's status fields in each state. */
const records: Record<LinkState, Pick<Link, "status" | "switchedOff"> | undefined> = {
  NONE: undefined,
  ACTIVE: { status: "ACTIVE" },
  SWITCHED_OFF: { status: "INACTIVE", switchedOff: true },
  ITEM_GONE: { status: "INACTIVE" },
  DELETED: { status: "DELETED" },
};

const rules: [rule: string, from: LinkState, event: LinkEvent, to: LinkState][] = [
  ["a free position is linked", "NONE", "LINK", "ACTIVE"],
  ["unlinking a free position changes nothing", "NONE", "UNLINK", "NONE"],
  ["a missing link cannot be deactivated", "NONE", "SWITCH_OFF", "NONE"],
  ["a missing link cannot be activated", "NONE", "SWITCH_ON", "NONE"],
  ["an occupied position is relinked", "ACTIVE", "LINK", "ACTIVE"],
  ["unlinking leaves a tombstone", "ACTIVE", "UNLINK", "DELETED"],
  ["a link is deactivated", "ACTIVE", "SWITCH_OFF", "SWITCHED_OFF"],
  ["deleting an item makes its links INACTIVE", "ACTIVE", "ITEM_GONE", "ITEM_GONE"],
  ["creating the item again reactivates its links", "ITEM_GONE", "ITEM_BACK", "ACTIVE"],
  ["a link stays INACTIVE while its item is deleted", "ITEM_GONE", "ITEM_GONE", "ITEM_GONE"],
  ["a deactivated link stays deactivated although its item exists", "SWITCHED_OFF", "ITEM_BACK", "SWITCHED_OFF"],
  ["a deactivated link stays deactivated even if its item is deleted", "SWITCHED_OFF", "ITEM_GONE", "SWITCHED_OFF"],
  ["patching a deactivated link ACTIVE activates it", "SWITCHED_OFF", "SWITCH_ON", "ACTIVE"],
  ["relinking activates a deactivated link", "SWITCHED_OFF", "LINK", "ACTIVE"],
  ["a link without its item can be deactivated", "ITEM_GONE", "SWITCH_OFF", "SWITCHED_OFF"],
  ["activating does not restore a deleted item", "ITEM_GONE", "SWITCH_ON", "ITEM_GONE"],
  ["a position whose item was deleted is relinked", "ITEM_GONE", "LINK", "ACTIVE"],
  ["INACTIVE links can be unlinked: deactivated", "SWITCHED_OFF", "UNLINK", "DELETED"],
  ["INACTIVE links can be unlinked: without an item", "ITEM_GONE", "UNLINK", "DELETED"],
  ["a tombstone is relinked", "DELETED", "LINK", "ACTIVE"],
  ["a tombstone stays when its item is created again", "DELETED", "ITEM_BACK", "DELETED"],
  ["a tombstone stays when its item is deleted", "DELETED", "ITEM_GONE", "DELETED"],
  ["a tombstone cannot be activated", "DELETED", "SWITCH_ON", "DELETED"],
  ["a tombstone cannot be deactivated", "DELETED", "SWITCH_OFF", "DELETED"],
];
for (const [rule, from, event, to] of rules) test(rule, (t) => t.is(transitions[from][event], to));

test("each state has its own record", (t) => {
  for (const state of states) t.is(stateOf(records[state]), state);
});

test("after each event the record matches the table, and no other field changes", (t) => {
  for (const state of states) {
    const record = records[state];
    if (record === undefined) continue;
    for (const event of events) {
      const after = afterEvent({ ...record, itemId: "milk" }, event);
      t.deepEqual(after, { ...records[transitions[state][event]], itemId: "milk" }, `${state} ${event}`);
    }
  }
});

test("an event without effect returns the same object", (t) => {
  for (const state of states) {
    const record = records[state];
    for (const event of events) {
      if (record !== undefined && transitions[state][event] === state) t.is(afterEvent(record, event), record);
    }
  }
});

test("docs/integrators/links.md shows the same table", async (t) => {
  const guide = await readFile(new URL("../../../docs/integrators/links.md", import.meta.url), "utf8");
  const words: Record<LinkState, [row: string, cell: string]> = {
    NONE: ["(free)", "(free)"],
    ACTIVE: ["ACTIVE", "ACTIVE"],
    SWITCHED_OFF: ["INACTIVE: switched off", "switched off"],
    ITEM_GONE: ["INACTIVE: without item", "without item"],
    DELETED: ["DELETED", "DELETED"],
  };
  for (const state of states) {
    const cells = events.map((event) => words[transitions[state][event]][1]);
    t.true(guide.includes(`\n| ${[words[state][0], ...cells].join(" | ")} |\n`), state);
  }
});

test("every event is idempotent", (t) => {
  for (const state of states) {
    for (const event of events) {
      const once = transitions[state][event];
      t.is(transitions[once][event], once, `${state} ${event}`);
    }
  }
});

test("item events never create or revive a tombstone", (t) => {
  for (const state of states) {
    for (const event of ["ITEM_GONE", "ITEM_BACK"] as const)
      t.is(transitions[state][event] === "DELETED", state === "DELETED");
  }
});

test("checking the item makes a link ACTIVE or INACTIVE", (t) => {
  const statusOf = (link: Pick<Link, "status" | "switchedOff">, itemExists: boolean) =>
    afterItemCheck(link, itemExists).status;
  t.is(statusOf({ status: "ACTIVE" }, false), "INACTIVE");
  t.is(statusOf({ status: "INACTIVE" }, true), "ACTIVE");
  t.is(statusOf({ status: "INACTIVE", switchedOff: true }, true), "INACTIVE");
  t.is(statusOf({ status: "DELETED" }, true), "DELETED");
});
