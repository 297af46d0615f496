import test from "ava";
import type { ActivityEntry } from "../../../../schemas/activity.ts";
import { writeItems } from "../../../api/calls.ts";
import { manage } from "../../../api/management/calls.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownStack } from "../../../harness/own.ts";
import { runAdminHere } from "../../../harness/processes/run-command.ts";

const shelfwire = ownStack({
  workers: ["item"],
  settings: { SWEEP_EVERY: "1" },
  leavesStale: "nothing is drawn here",
});
const admin = (...args: string[]) => runAdminHere(shelfwire.system, args);

test.serial("activity verify prints the end of each log, and reports an entry that was removed", async (t) => {
  await writeItems(shelfwire, [{ itemId: "milk", price: "1.09" }]);
  const whole = await eventually("the item is in the log", async () => {
    const said = await admin("activity", "verify");
    return said.out.includes("The log of store main: 1 entries are intact") ? said : undefined;
  });
  t.is(whole.code, 0, whole.err);
  await shelfwire.system.db
    .collection<ActivityEntry>("activity")
    .deleteOne({ _id: "t/demo/s/main/activity/000000000001" });
  const broken = await admin("activity", "verify", "--tenant", "demo");
  t.is(broken.code, 1);
  t.true(broken.out.includes("The log of store main: entry 1 was removed."));
});

test.serial("an unknown tenant is refused, and the error names it", async (t) => {
  const { code, err } = await admin("activity", "verify", "--tenant", "none");
  t.is(code, 1);
  t.regex(err, /The tenant "none" does not exist/);
});

test.serial(
  "the tenant's log contains what the operator removes by a command, with the system user's name",
  async (t) => {
    const store = { name: "Old", timeZone: "Europe/Zagreb", currency: "EUR", locale: "hr-HR", linkDepartments: [] };
    t.is((await manage(shelfwire, "PUT", "/stores/old", store)).status, 200);
    const { code, err } = await admin("store", "remove", "demo", "old");
    t.is(code, 0, err);
    await eventually("the command is in the log", async () => {
      const log = await (await manage(shelfwire, "GET", "/tenant-activity?format=ndjson")).text();
      return /"kind":"operator","id":"[^"]+","channel":"command"\},.*"operation":"store remove".*"storeId":"old"/.test(
        log,
      );
    });
  },
);
