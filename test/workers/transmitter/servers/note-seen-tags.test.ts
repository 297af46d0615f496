import test from "ava";
import type { SeenTag } from "../../../../schemas/unknown-tag.ts";
import type { LabelServer } from "../../../../workers/transmitter/drivers/label-server.ts";
import { createNoteSeenTags } from "../../../../workers/transmitter/servers/note-seen-tags.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const tag: SeenTag = { device: "00000218D6C53B19", hardwareType: "33" };

function scene(tags: SeenTag[] | undefined) {
  const set = { at: 0, tags, isReady: true };
  const noted: [string, readonly SeenTag[]][] = [];
  const server = { ...(tags && { seenTags: () => set.tags }) } as unknown as LabelServer;
  const note = createNoteSeenTags({
    clock: () => set.at,
    publisher: { isReady: () => set.isReady },
    labelServers: { known: () => [["shelf", server]] },
    notes: { note: async (key, list) => void noted.push([key, list]) },
  });
  return { set, noted, note };
}

test("the list is written at most every 10 seconds, and again each hour even if nothing has changed", async (t) => {
  const { set, noted, note } = scene([tag]);
  await note();
  set.tags = [tag, { ...tag, device: "00000218D6C53B20" }];
  set.at = 9 * SECOND_MS;
  await note();
  t.deepEqual(noted, [["shelf", [tag]]]);
  set.at = 10 * SECOND_MS;
  await note();
  t.is(noted.length, 2);
  set.at = HOUR_MS;
  await note();
  t.is(noted.length, 2);
  set.at = HOUR_MS + 10 * SECOND_MS;
  await note();
  t.is(noted.length, 3);
});

test("nothing is written while Redis is unreachable, or about a label server that identifies labels by barcode", async (t) => {
  const byBarcode = scene(undefined);
  await byBarcode.note();
  t.deepEqual(byBarcode.noted, []);
  const { set, noted, note } = scene([tag]);
  set.isReady = false;
  await note();
  t.deepEqual(noted, []);
});
