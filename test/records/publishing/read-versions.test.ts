import { randomUUID } from "node:crypto";
import test from "ava";
import { versions } from "../../../records/kinds/publishing.ts";
import { oldestVersions } from "../../../records/publishing/read-versions.ts";
import { openRecords } from "../../../records/records.ts";
import { canvasDesignKey, versionKey } from "../../../schemas/keys.ts";
import { ownDatabase } from "../../harness/own.ts";

const database = ownDatabase();

test("a tenant's oldest versions are found across its designs, without other tenants' versions", async (t) => {
  const records = openRecords(database.db);
  const stored = [
    ["t/demo", "wine", 2, "2026-03-04"],
    ["t/demo", "bread", 1, "2026-03-02"],
    ["t/demo", "wine", 1, "2026-03-01"],
    ["t/other", "wine", 1, "2026-02-01"],
  ] as const;
  for (const [tenant, design, number, day] of stored) {
    const key = versionKey(canvasDesignKey(tenant, design), number);
    const at = new Date(day);
    const body = { number, at, content: "{}" };
    await records.compareAndSet(versions, [{ key, current: undefined, body }], { writeId: randomUUID(), at });
  }
  const oldest = await oldestVersions(database.db, "t/demo", 2);
  t.deepEqual(
    oldest.map(({ _id }) => _id),
    [versionKey(canvasDesignKey("t/demo", "wine"), 1), versionKey(canvasDesignKey("t/demo", "bread"), 1)],
  );
});
