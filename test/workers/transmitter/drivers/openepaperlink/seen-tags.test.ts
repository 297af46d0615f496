import test from "ava";
import type { Tag } from "../../../../../workers/transmitter/drivers/openepaperlink/messages.ts";
import { keepSeenTags } from "../../../../../workers/transmitter/drivers/openepaperlink/seen-tags.ts";

const tagOf = (fields: Partial<Tag>): Tag => ({
  ...{ mac: "00000218D6C53B19", pending: 0, updateCount: 0, hardwareType: 0x33, lastSeen: 1_772_000_000 },
  ...fields,
});

test("a tag is listed once, as it was listed last", (t) => {
  const { note, list } = keepSeenTags();
  note(tagOf({ batteryMillivolts: 2900 }));
  note(tagOf({ batteryMillivolts: 2300, lastSeen: 1_772_000_040 }));
  const seen = { hardwareType: "33", lastSeen: 1_772_000_040_000, battery: "LOW", batteryMillivolts: 2300 };
  t.deepEqual(list(), [{ device: "00000218D6C53B19", ...seen } as const]);
});

test("what was not measured is absent, and a number of the hardware has two digits", (t) => {
  const { note, list } = keepSeenTags();
  note(tagOf({ hardwareType: 1, lastSeen: 0 }));
  t.deepEqual(list(), [{ device: "00000218D6C53B19", hardwareType: "01" }]);
});

test("however many tags come and go, no more than 1,000 are kept, and the latest are among them", (t) => {
  const { note, list } = keepSeenTags();
  const macOf = (index: number) => index.toString(16).toUpperCase().padStart(16, "0");
  for (let index = 0; index < 3_000; index += 1) note(tagOf({ mac: macOf(index) }));
  t.is(list().length, 1_000);
  t.is(list().at(-1)?.device, macOf(2_999));
});
