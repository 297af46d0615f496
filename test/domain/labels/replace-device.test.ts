import test from "ava";
import { pageToSend } from "../../../domain/labels/pages-to-send.ts";
import { replaceDevice } from "../../../domain/labels/replace-device.ts";
import { entriesOf } from "../../../schemas/label-history.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";

const at = new Date("2026-03-01T12:00:00Z");
const page = { page: 0, image: "a" };
const showing: LabelState = {
  ...newLabelState(),
  wanted: [page],
  shown: [{ ...page, deliveredAt: at, through: 4 }],
  sent: [{ ...page, number: 4 }],
  transmissions: 4,
  lastSeen: at,
  checksIn: true,
  battery: "LOW",
  lowBatteryDate: at,
  lastUpdate: at,
};

test("nothing is known about a new tag: what it shows, when it was last seen and its battery", (t) => {
  const replaced = replaceDevice(showing, 9, at);
  t.like(replaced, { shown: [], sent: [], lastSeen: undefined, checksIn: undefined, battery: "UNKNOWN" });
  t.is(replaced.lowBatteryDate, undefined);
});

test("a new tag's pages are due immediately, with numbers above the former tag's", (t) => {
  const replaced = replaceDevice(showing, 9, at);
  t.deepEqual(pageToSend(replaced), page);
  t.like(replaced, { sendDue: at, transmissions: 4, lastUpdate: at });
});

test("an older picture from a slower handler is noticed even after the tag was replaced", (t) => {
  t.is(replaceDevice({ ...showing, imageRev: 7 }, 9, at).imageRev, 7);
});

test("neither a transmission under way nor earlier failures delay the pages", (t) => {
  const failing = { ...showing, sending: { ...page, number: 4 }, givenUp: "no report", tries: 10 };
  t.like(replaceDevice(failing, 9, at), { sending: undefined, givenUp: undefined, tries: 0, sendDue: at });
});

test("a label that should show nothing is not due", (t) => {
  t.is(replaceDevice({ ...showing, wanted: [] }, 9, at).sendDue, undefined);
});

test("the history records the replacement, and a stamp that was already applied changes nothing", (t) => {
  const replaced = replaceDevice(showing, 9, at);
  t.like(entriesOf(replaced.history ?? [])[0], { at: at.getTime(), event: "device", result: "replaced" });
  for (const stamp of [9, 8]) t.is(replaceDevice(replaced, stamp, at), replaced);
});
