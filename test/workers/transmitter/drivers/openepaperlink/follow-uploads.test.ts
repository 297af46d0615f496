import test from "ava";
import type { LabelReport } from "../../../../../schemas/label-report.ts";
import { followUploads } from "../../../../../workers/transmitter/drivers/openepaperlink/follow-uploads.ts";
import type { Tag } from "../../../../../workers/transmitter/drivers/openepaperlink/messages.ts";
import { MAC } from "./scene.ts";

const tag: Tag = { mac: MAC, hardwareType: 1, pending: 0, updateCount: 4, lastSeen: 0 };
const LISTED_AFTER_MS = 2_000;

const STORE = "t/demo/s/main";

function follow(clock: () => number) {
  const reports: LabelReport[] = [];
  const following = followUploads({
    accessPoint: { readTag: async () => tag, readTags: async () => [tag] },
    ...{ report: (report) => void reports.push(report), now: () => new Date(clock()), clock },
    listedAfterMs: LISTED_AFTER_MS,
  });
  return { reports, following };
}

test("a tag that was replaced no longer reports for its label, even if it still has power", (t) => {
  const { reports, following } = follow(() => 0);
  const replacement = "0000030000000000";
  following.know(MAC, { store: STORE, barcode: MAC });
  following.know(replacement, { store: STORE, barcode: MAC });
  following.note({ ...tag, lastSeen: 1 });
  t.deepEqual(reports, []);
  following.note({ ...tag, mac: replacement, lastSeen: 1, batteryMillivolts: 2_900 });
  t.deepEqual(
    reports.map(({ kind, barcode, batteryMillivolts }) => [kind, barcode, batteryMillivolts]),
    [["check-in", MAC, 2_900]],
  );
});

test("an upload is lost only if the access point does not list it some time after accepting it, however long the call took", async (t) => {
  let now = 0;
  const { reports, following } = follow(() => now);
  const upload = { store: STORE, barcode: MAC, page: 0, number: 7, shownAt: 5 };
  const failedAfter = async (ms: number) => {
    now += ms;
    await following.lookAgain();
    return reports.map(({ kind, transmission }) => `${kind} ${transmission}`);
  };
  following.begin(MAC, upload);
  t.deepEqual(await failedAfter(60_000), []);
  following.accept(MAC, upload);
  t.deepEqual(await failedAfter(LISTED_AFTER_MS - 1), []);
  t.deepEqual(await failedAfter(1), ["failed 7"]);
});
