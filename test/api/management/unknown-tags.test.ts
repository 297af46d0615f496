import test from "ava";
import { openSeenTags } from "../../../queues/linking/seen-tags.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { labelKey, labelServerKey } from "../../../schemas/keys.ts";
import type { UnknownTag } from "../../../schemas/unknown-tag.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf } from "../calls.ts";
import { manage, operate } from "./calls.ts";

const shelfwire = ownStack({ workers: [] });
const management = "/t/demo/api/management/v1";
const path = "/label-servers/shelf/unknown-tags";
const seenAt = Date.UTC(2026, 2, 2, 8);
const [named, barcode, unknown] = ["00000218D6C53B19", "0000021800000002", "0000021800000003"];

const read = async () => bodyOf<UnknownTag[]>(await manage(shelfwire, "GET", path));

test.serial("a label server that does not exist has no tags", async (t) => {
  t.is((await manage(shelfwire, "GET", path)).status, 404);
});

test.serial(
  "tags that no label in the label server's stores names are listed, with the label types that fit them",
  async (t) => {
    const server = { url: "http://10.0.0.7", driver: "openepaperlink" };
    await bodyOf(await operate(shelfwire, "PUT", `${management}/label-servers/shelf`, server));
    t.deepEqual(await read(), []);
    await bodyOf(await operate(shelfwire, "PUT", `${management}/stores/main`, { ...demoStore, labelServer: "shelf" }));
    const label = { type: 1328, modelName: "Single", stamps: {} };
    const hung = [
      // An address with 12 digits, 16 digits or lowercase letters is the same address.
      { ...label, barcode: "A1", device: "0218d6c53b19" },
      { ...label, barcode },
    ];
    for (const one of hung)
      await shelfwire.system.commit.change(labels, [labelKey("t/demo/s/main", one.barcode)], () => one, "bulk");
    const tags = [named, barcode, unknown].map((device) => ({ device, hardwareType: "33" }));
    const last = { device: "0000021800000004", hardwareType: "F9", lastSeen: seenAt, battery: "LOW" as const };
    await openSeenTags(shelfwire.system.redis).note(labelServerKey("t/demo", "shelf"), [
      ...tags,
      { ...last, batteryMillivolts: 2350 },
    ]);
    const none = { labelTypes: [], lastSeen: null, batteryState: "UNKNOWN" as const, batteryMillivolts: null };
    t.deepEqual(await read(), [
      { device: unknown, hardwareType: "33", name: 'M3 2.9"', ...none },
      {
        ...{ device: last.device, hardwareType: "F9", name: null, labelTypes: [] },
        ...{ lastSeen: "2026-03-02T08:00:00.000Z", batteryState: "LOW", batteryMillivolts: 2350 },
      },
    ]);
  },
);

test.serial("a tag that a label names is no longer listed", async (t) => {
  const taken = { barcode: "A3", type: 1328, modelName: "Single", stamps: {}, device: unknown };
  await shelfwire.system.commit.change(labels, [labelKey("t/demo/s/main", "A3")], () => taken, "bulk");
  t.deepEqual(
    (await read()).map(({ device }) => device),
    ["0000021800000004"],
  );
});
