import test from "ava";
import type { LabelExplanation } from "../../../../schemas/explanation.ts";
import type { IntegrityReport } from "../../../../schemas/integrity.ts";
import { bodyOf, writeItems, writeLabels } from "../../../api/calls.ts";
import { manage } from "../../../api/management/calls.ts";
import { labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { runAdmin, runAdminHere } from "../../../harness/processes/run-command.ts";
import { JWT_SECRET } from "../../../harness/served.ts";

const shelfwire = ownStack({ workers: ["item", "link"], leavesStale: "nothing is drawn here" });
const barcode = labelFor("asked for");
const admin = (...args: string[]) => runAdminHere(shelfwire.system, args);

test.serial("explain prints what the API returns, as text and as JSON", async (t) => {
  await writeItems(shelfwire, [{ itemId: "asked for", itemName: "Asked for", price: "1.99" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "asked for" }] }]);
  const told = await bodyOf<LabelExplanation>(await shelfwire.call("GET", `/labels/${barcode}/explain`));
  const [text, json] = await Promise.all([admin("explain", barcode), admin("explain", barcode, "--json")]);
  t.is(text.code, 0, text.err);
  t.is(text.out.split("\n")[0], told.summary);
  t.like(JSON.parse(json.out), { barcode, cause: told.cause, sentences: told.sentences });
});

test.serial("integrity prints what the API returns, for now and for a given time", async (t) => {
  const told = await bodyOf<IntegrityReport>(await manage(shelfwire, "GET", "/stores/main/integrity"));
  const [now, then] = await Promise.all([
    admin("integrity", "--json", "--tenant", "demo", "--store", "main"),
    admin("integrity", "--at", "2026-01-01 10:00:00"),
  ]);
  t.like(JSON.parse(now.out), { labels: told.labels, upToDate: told.upToDate, behind: told.behind });
  t.is(then.code, 0, then.err);
  t.true(then.out.includes(`${barcode}  unknown`));
});

test.serial("integrity prints the API's CSV, and for a given time only the requested labels", async (t) => {
  const csv = async (path: string) => (await manage(shelfwire, "GET", path)).text();
  const [now, then, other] = await Promise.all([
    admin("integrity", "--csv"),
    admin("integrity", "--at", "2026-01-01 10:00:00", "--csv", "--barcode", barcode),
    admin("integrity", "--at", "2026-01-01 10:00:00", "--barcode", "12345,67890", "--json"),
  ]);
  t.is(now.out.trim(), (await csv("/stores/main/integrity?format=csv")).trim());
  t.true(now.out.includes(`${barcode},asked for,`), now.out);
  const asked = `/stores/main/integrity?format=csv&at=2026-01-01%2010:00:00&barcode=${barcode}`;
  t.is(then.out.trim(), (await csv(asked)).trim());
  t.deepEqual(JSON.parse(other.out).shown, []);
  const refused = await admin("integrity", "--barcode", barcode);
  t.is(refused.code, 1);
  t.regex(refused.err, /--barcode requires --at/);
});

test.serial("an unknown label, store or time is refused, and the error names it", async (t) => {
  const [label, store, time, empty] = await Promise.all([
    admin("explain", "12345"),
    admin("integrity", "--store", "elsewhere"),
    admin("integrity", "--at", "yesterday"),
    admin("integrity", "--at", ""),
  ]);
  t.deepEqual([label.code, store.code, time.code, empty.code], [1, 1, 1, 1]);
  t.regex(empty.err, /--at must/);
  t.true(label.err.includes('The label "12345" does not exist'), label.err);
  t.true(store.err.includes('There is no store "elsewhere"'), store.err);
  t.true(time.err.includes('--at must be a time in the form YYYY-MM-DD hh:mm:ss, not "yesterday"'), time.err);
});

test.serial(
  "token issue signs tokens that the API accepts, for these stores and scopes, of an existing tenant and existing stores",
  async (t) => {
    const issue = (...args: string[]) => runAdmin(shelfwire.databases, ["token", "issue", ...args], { JWT_SECRET });
    const issued = await issue("demo", "--stores", "main", "--scope", "items:read");
    t.is(issued.code, 0, issued.err);
    const headers = { authorization: `Bearer ${issued.out.trim()}` };
    t.is((await shelfwire.call("GET", "/items", undefined, headers)).status, 200);
    t.is((await shelfwire.call("GET", "/labels", undefined, headers)).status, 403);
    const refused = await Promise.all([
      issue("nobody"),
      issue("demo", "--stores", "elsewhere"),
      issue("demo", "--lifetime", "1"),
      issue("demo", "--scope", "everything"),
    ]);
    const reasons = [/The tenant "nobody" does not exist/, /elsewhere/, /\/lifetime/, /\/scope/];
    for (const [index, { code, err }] of refused.entries()) {
      t.is(code, 1);
      t.regex(err, reasons[index] ?? /^$/);
    }
  },
);
