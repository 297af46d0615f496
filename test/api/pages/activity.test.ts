import test from "ava";
import { callsOf } from "../../flow/held/held-calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { sessionOf } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, writeItems } from "../calls.ts";
import { manage } from "../management/calls.ts";

const shelfwire = servedStack({ workers: ["item"], settings: { SWEEP_EVERY: "1" } });

async function open(path: string, order: Parameters<typeof shelfwire.token>[0] = {}, language = "en") {
  const cookie = await sessionOf(shelfwire.origin, await shelfwire.token(order));
  const headers = { cookie, accept: "text/html", "accept-language": language };
  const answer = await fetch(`${shelfwire.origin}${path}`, { headers });
  return { status: answer.status, text: await answer.text() };
}

test.serial.before(async () => {
  await manage(shelfwire, "PUT", "/stores/main/price-guards", { change: { rise: 30, fall: 50 } });
  await writeItems(shelfwire, [{ itemId: "milk", price: "1.09" }]);
  await writeItems(shelfwire, [{ itemId: "<b>tea</b>", price: "2.09" }]);
  await eventually("the log has both entries", async () => (await open("/activity")).text.includes("2.09"));
});

test("the page lists who changed what, and links to the item", async (t) => {
  const { status, text } = await open("/activity?item=milk");
  t.is(status, 200);
  t.regex(text, /<ol class="card entries activity"><li data-status="DONE">/);
  t.regex(text, /Changed items/);
  t.regex(text, /<a href="\/items\/milk[^"]*">milk<\/a>/);
  t.false(text.includes("2.09"), "the filter leaves the entry out");
});

test("names from callers are shown as text", async (t) => {
  const { text } = await open("/activity");
  t.false(text.includes("<b>tea"));
  t.true(text.includes("&lt;b&gt;tea"));
});

test("the page is in the visitor's language", async (t) => {
  t.regex((await open("/activity", {}, "de")).text, /Artikel geändert/);
  t.regex((await open("/activity", {}, "hr")).text, /Promijenjeni artikli/);
});

test("the page's exports have the same filter", async (t) => {
  const { text } = await open("/activity?item=milk");
  t.regex(text, /\/t\/demo\/s\/main\/api\/public\/core\/v1\/activity\?item=milk&amp;format=csv/);
  t.regex(
    (await open("/activity?all=1&person=ana")).text,
    /management\/v1\/tenant-activity\?person=ana&amp;format=ndjson/,
  );
});

test("the page needs its scope, and entries of all stores need a session for all stores", async (t) => {
  t.is((await open("/activity", { scope: "items:read ops" })).status, 403);
  const { status, text } = await open("/activity?all=1", { scope: "activity:read", stores: ["main"] });
  t.is(status, 200);
  t.false(text.includes('name="all"'));
});

test("an item's page shows its earlier prices, and links to all changes", async (t) => {
  const { text } = await open("/items/milk");
  t.regex(text, /<ol class="prices"><li><time [^>]*>[^<]*<\/time><strong>[^<]*1\.09/);
  t.regex(text, /href="\/activity\?item=milk"/);
  t.false((await open("/items/milk", { scope: "items:read" })).text.includes('href="/activity'));
});

test("held rows are shown as held until they are decided, and then with the outcome, each row once", async (t) => {
  const [ana, ivo] = [callsOf(shelfwire, "ana"), callsOf(shelfwire, "ivo")];
  await writeItems(shelfwire, [
    { itemId: "oil", price: "1.00" },
    { itemId: "salt", price: "1.00" },
  ]);
  const [approved, refused] = [
    await ana.hold([{ itemId: "oil", price: "9.00" }]),
    await ana.hold([{ itemId: "salt", price: "9.00" }]),
  ];
  const pageOf = async (item: string) => (await open(`/activity?item=${item}`)).text;
  const entriesOf = (text: string) => [...text.matchAll(/<li data-status="(\w+)">/g)].map(([, status]) => status);
  for (const [item, number] of [
    ["oil", approved],
    ["salt", refused],
  ] as const) {
    await eventually("the log has the held request", async () => entriesOf(await pageOf(item)).length === 2);
    const text = await pageOf(item);
    t.deepEqual(entriesOf(text), ["HELD", "DONE"]);
    t.regex(text, new RegExp(`<a href="/held/${number}">.*Held until approved</a>`));
    t.false(/Not done/.test(text));
  }
  const prices = async (item: string) =>
    (await bodyOf<{ prices: { price: string }[] }>(await shelfwire.call("GET", `/items/${item}/history`))).prices.map(
      ({ price }) => price,
    );
  t.deepEqual(await prices("oil"), ["1.00"]);

  t.is((await ivo.approve(approved)).status, 200);
  t.is((await ivo.refuse(refused)).status, 200);
  await eventually("the log has both outcomes", async () => {
    const [oil, salt] = await Promise.all([pageOf("oil"), pageOf("salt")]);
    return entriesOf(oil).length === 3 && entriesOf(salt).length === 3;
  });
  t.deepEqual(entriesOf(await pageOf("oil")), ["DONE", "HELD", "DONE"]);
  t.regex(await pageOf("oil"), />Approved</);
  t.deepEqual(await prices("oil"), ["1.00", "9.00"]);
  t.deepEqual(entriesOf(await pageOf("salt")), ["FAILED", "HELD", "DONE"]);
  t.regex(await pageOf("salt"), />Refused</);
  t.deepEqual(await prices("salt"), ["1.00"]);
});
