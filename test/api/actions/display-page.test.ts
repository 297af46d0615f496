import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, labelFor, transmissions } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, pointersOf, refused, writeItems, writeLabels } from "../calls.ts";

const shelfwire = ownStack({ withFront: true });

const makeLabel = async (name: string, type?: string): Promise<string> => {
  const barcode = labelFor(name, type);
  await writeLabels(shelfwire, [{ barcode }]);
  return barcode;
};
const display = (barcode: string, body?: unknown) => shelfwire.call("POST", `/labels/${barcode}/display-page`, body);
const callsTo = (barcode: string) =>
  (shelfwire.front?.calls ?? []).filter(({ path }) => path === `/labels/${barcode}/display-page`);
const lastCall = (barcode: string) =>
  eventually(`a call for ${barcode}`, async () => {
    const call = callsTo(barcode).at(-1);
    return call && { headers: call.headers, body: JSON.parse(String(call.body)) };
  });
/** Returns the page that the emulated glass shows. */
async function shownPage(barcode: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${shelfwire.labelServer.port}/emulator/labels/${barcode}`);
  return ((await answer.json()) as { shownPage: string }).shownPage;
}

test("without a body the label shows the info page for 30 seconds", async (t) => {
  const barcode = await makeLabel("plain");
  t.deepEqual(await bodyOf(await display(barcode)), { result: "OK" });
  const { headers, body } = await lastCall(barcode);
  t.deepEqual(body, { action: "set-temporary", page: "info", duration: 30 });
  t.like(headers, { transceiver: "T1, T2, T3", store: "t/demo/s/main" });
});

test("every field of the call reaches the label server", async (t) => {
  const barcode = await makeLabel("whole");
  await bodyOf(await display(barcode, { action: "set-temporary", page: "0", duration: 1800 }));
  t.deepEqual((await lastCall(barcode)).body, { action: "set-temporary", page: "0", duration: 1800 });
});

test("restore-page shows the label's own page again; a duration is ignored", async (t) => {
  for (const duration of [undefined, null, 0, 5000]) {
    const barcode = await makeLabel(`restored ${duration}`);
    await bodyOf(await display(barcode, { action: "restore-page", duration }));
    t.deepEqual((await lastCall(barcode)).body, { action: "restore-page" });
  }
});

test.serial("the page stays on the glass until it is restored, and then a newer picture is shown", async (t) => {
  const barcode = labelFor("shown");
  await writeItems(shelfwire, [{ itemId: "apple", price: "1.99" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
  const before = await glassOf(shelfwire, barcode);
  await display(barcode, { duration: 1800 });
  await eventually("the info page is shown", async () => (await shownPage(barcode)) === "info");
  const sent = transmissions(shelfwire, barcode);
  await writeItems(shelfwire, [{ itemId: "apple", price: "2.49" }]);
  t.notDeepEqual(await glassOf(shelfwire, barcode), before);
  t.is(transmissions(shelfwire, barcode), sent + 1);
  t.is(await shownPage(barcode), "info");
  await display(barcode, { action: "restore-page" });
  await eventually("the label's own page is shown", async () => (await shownPage(barcode)) === "0");
});

test("each invalid field returns 400, with its path", async (t) => {
  const barcode = await makeLabel("refused");
  const faults: [object, string[]][] = [
    [{ duration: 0 }, ["/duration"]],
    [{ duration: 1801, page: "1" }, ["/duration", "/page"]],
    [{ duration: 1.5 }, ["/duration"]],
    [{ duration: "thirty" }, ["/duration"]],
    [{ page: "-1" }, ["/page"]],
    [{ page: "00" }, ["/page"]],
    [{ page: "Info" }, ["/page"]],
    [{ page: 0.5 }, ["/page"]],
    [{ page: "7", action: "restore-page" }, ["/page"]],
    [{ action: "show" }, ["/action"]],
  ];
  for (const [body, places] of faults)
    t.deepEqual(pointersOf(await refused(t, await display(barcode, body), 400)), places);
  t.deepEqual(callsTo(barcode), []);
});

test("a segment label has no pages to show: the call returns UNSUPPORTED, and nothing is sent", async (t) => {
  const barcode = await makeLabel("segments", "1210");
  t.deepEqual(await bodyOf(await display(barcode)), { result: "UNSUPPORTED" });
  t.deepEqual(callsTo(barcode), []);
});

test("an unknown label returns 404; the literal segment refresh wins over a barcode", async (t) => {
  await refused(t, await display(labelFor("nowhere")), 404);
  t.regex((await refused(t, await display("refresh"), 404)).detail, /model "display-page"/);
});

test("a call to a busy label server is retried; the history lists a refusal", async (t) => {
  const busy = await makeLabel("busy");
  const unwanted = await makeLabel("unwanted");
  const replies = [{ status: 503, headers: { "retry-after": "1" } }];
  shelfwire.front?.answer(({ path }) => {
    if (path.includes(unwanted)) return { status: 400 };
    return path.includes(busy) ? replies.shift() : undefined;
  });
  await bodyOf(await display(busy, { page: "0" }));
  await bodyOf(await display(unwanted));
  const result = (barcode: string) =>
    eventually(`the result on ${barcode}`, async () => {
      const history = await bodyOf<object[]>(await shelfwire.call("GET", `/labels/${barcode}/history`));
      return history[0];
    });
  t.like(await result(busy), { event: "display-page", result: "sent", page: "0" });
  t.like(await result(unwanted), { event: "display-page", result: "refused", page: "info" });
  // There are more than two calls if the machine is busy, but always with the same key.
  t.true(callsTo(busy).length >= 2);
  t.is(new Set(callsTo(busy).map(({ headers }) => headers["idempotency-key"])).size, 1);
});
