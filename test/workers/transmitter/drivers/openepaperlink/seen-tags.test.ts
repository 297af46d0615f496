import test from "ava";
import type { Tag } from "../../../../../workers/transmitter/drivers/openepaperlink/messages.ts";
import { keepSeenTags } from "../../../../../workers/transmitter/drivers/openepaperlink/seen-tags.ts";

const tagOf = (fields: Partial<Tag>): Tag => ({
  ...{ mac: "00000218D6C53B19", pending: 0, updateCount: 0, hardwareType: 0x33, lastSeen: 1_772_000_000 },
  ...fields,
});

test("a tag is listed once, as last seen", (t) => {
  const { note, list } = keepSeenTags();
  note(tagOf({ batteryMillivolts: 2900 }));
  note(tagOf({ batteryMillivolts: 2300, lastSeen: 1_772_000_040 }));
  const seen = { hardwareType: "33", lastSeen: 1_772_000_040_000, battery: "LOW", batteryMillivolts: 2300 };
  t.deepEqual(list(), [{ device: "00000218D6C53B19", ...seen } as const]);
});

test("values that were not measured are absent, and the hardware number has two digits", (t) => {
  const { note, list } = keepSeenTags();
  note(tagOf({ hardwareType: 1, lastSeen: 0 }));
  t.deepEqual(list(), [{ device: "00000218D6C53B19", hardwareType: "01" }]);
});

test("at most 1,000 tags are kept, including the latest, however many tags come and go", (t) => {
  const { note, list } = keepSeenTags();
  const macOf = (index: number) => index.toString(16).toUpperCase().padStart(16, "0");
  for (let index = 0; index < 3_000; index += 1) note(tagOf({ mac: macOf(index) }));
  t.is(list().length, 1_000);
  t.is(list().at(-1)?.device, macOf(2_999));
});
