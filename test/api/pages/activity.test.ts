import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { sessionOf } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { writeItems } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item"], settings: { SWEEP_EVERY: "1" } });

async function open(path: string, order: Parameters<typeof shelfwire.token>[0] = {}, language = "en") {
  const cookie = await sessionOf(shelfwire.origin, await shelfwire.token(order));
  const headers = { cookie, accept: "text/html", "accept-language": language };
  const answer = await fetch(`${shelfwire.origin}${path}`, { headers });
  return { status: answer.status, text: await answer.text() };
}

test.serial.before(async () => {
  await writeItems(shelfwire, [{ itemId: "milk", price: "1.09" }]);
  await writeItems(shelfwire, [{ itemId: "<b>tea</b>", price: "2.09" }]);
  await eventually("the log has both", async () => (await open("/activity")).text.includes("2.09"));
});

test("the page lists who changed what, and links the item", async (t) => {
  const { status, text } = await open("/activity?item=milk");
  t.is(status, 200);
  t.regex(text, /<ol class="card entries activity"><li data-status="DONE">/);
  t.regex(text, /Changed items/);
  t.regex(text, /<a href="\/items\/milk[^"]*">milk<\/a>/);
  t.false(text.includes("2.09"), "the filter leaves it out");
});

test("names from callers are shown as text", async (t) => {
  const { text } = await open("/activity");
  t.false(text.includes("<b>tea"));
  t.true(text.includes("&lt;b&gt;tea"));
});

test("the page speaks the visitor's language", async (t) => {
  t.regex((await open("/activity", {}, "de")).text, /Artikel geändert/);
  t.regex((await open("/activity", {}, "hr")).text, /Promijenjeni artikli/);
});

test("its exports have the same filter", async (t) => {
  const { text } = await open("/activity?item=milk");
  t.regex(text, /\/t\/demo\/s\/main\/api\/public\/core\/v1\/activity\?item=milk&amp;format=csv/);
  t.regex(
    (await open("/activity?all=1&person=ana")).text,
    /management\/v1\/tenant-activity\?person=ana&amp;format=ndjson/,
  );
});

test("it needs its scope, and all stores need a session for all of them", async (t) => {
  t.is((await open("/activity", { scope: "items:read ops" })).status, 403);
  const { status, text } = await open("/activity?all=1", { scope: "activity:read", stores: ["main"] });
  t.is(status, 200);
  t.false(text.includes('name="all"'));
});

test("an item's page shows its prices so far, and the way to all changes", async (t) => {
  const { text } = await open("/items/milk");
  t.regex(text, /<ol class="prices"><li><time [^>]*>[^<]*<\/time><strong>[^<]*1\.09/);
  t.regex(text, /href="\/activity\?item=milk"/);
  t.false((await open("/items/milk", { scope: "items:read" })).text.includes('href="/activity'));
});
