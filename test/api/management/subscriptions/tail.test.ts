import { setTimeout } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import {
  readStreamUpTo,
  type StreamEntry,
  streamKey,
  writeLabelStreams,
  writeStreams,
} from "../../../../queues/publish/streams.ts";
import { observedTopics } from "../../../../schemas/events.ts";
import type { Change, Topic } from "../../../../schemas/topics.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownStack } from "../../../harness/own.ts";
import { openOwnApi } from "../../../harness/processes/own-api.ts";
import { bodyOf, refused, writeItems } from "../../calls.ts";
import { manage } from "../calls.ts";

const shelfwire = ownStack({ workers: ["item"] });

interface Entry {
  id: string | undefined;
  type: string;
  subject: string;
  event: Record<string, unknown>;
}

/** Tails a topic and collects its events. */
async function follow(
  t: ExecutionContext,
  topic: string,
  after?: string,
  { origin = shelfwire.origin, lifetime = "1h" } = {},
) {
  const token = await shelfwire.token({ lifetime });
  return followAt(t, `${origin}/t/demo/api/management/v1/topics/${topic}/tail`, token, after);
}

async function followAt(t: ExecutionContext, address: string, token: string, after?: string) {
  const end = new AbortController();
  t.teardown(() => end.abort());
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "text/event-stream",
    "accept-encoding": "gzip, br",
    ...(after !== undefined && { "last-event-id": after }),
  };
  const answer = await fetch(address, { signal: end.signal, headers });
  if (answer.status !== 200) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
  let text = "";
  let outcome: "open" | "ended" | "broken" = "open";
  const reading = (async () => {
    for await (const part of answer.body ?? []) text += new TextDecoder().decode(part, { stream: true });
    outcome = "ended";
  })().catch(() => {
    outcome = "broken";
  });
  const entries = (): Entry[] =>
    text
      .split("\n\n")
      .filter((block) => block.includes("data: "))
      .map((block) => {
        const event = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "{}") as Entry["event"];
        return { type: String(event.type), subject: String(event.subject), event, id: /^id: (.*)$/m.exec(block)?.[1] };
      });
  await eventually("the tail is open or over", async () => text.startsWith(": ") || outcome !== "open");
  if (!text.startsWith(": ")) throw new Error(`${address}: the tail was over before it began`);
  return { answer, entries, end, reading, outcome: () => outcome };
}

const write = (itemId: string) => writeItems(shelfwire, [{ itemId, price: String(Math.random()) }]);
const subjectOf = (itemId: string) => `t/demo/s/main/items/${itemId}`;

test("every topic can be tailed, and nothing else", async (t) => {
  t.deepEqual(await bodyOf(await manage(shelfwire, "GET", "/topics")), [...observedTopics]);
  await refused(t, await manage(shelfwire, "GET", "/topics/link.v3/tail"), 400);
});

test("changes arrive as they happen, uncompressed, as the events that subscribers receive", async (t) => {
  const tail = await follow(t, "storeitemvalues.v1");
  t.regex(tail.answer.headers.get("content-type") ?? "", /^text\/event-stream\b/);
  t.is(tail.answer.headers.get("content-encoding"), null);
  t.regex(tail.answer.headers.get("cache-control") ?? "", /no-transform/);
  await eventually("the change is received", async () => {
    await write("seen");
    return tail.entries().some(({ subject }) => subject === subjectOf("seen"));
  });
  t.true(tail.entries().every(({ type }) => type === "storeitemvalues.v1"));
});

test("a tail resumes after the last received event and misses none", async (t) => {
  const first = await follow(t, "storeitemvalues.v1");
  await eventually("the first event arrives", async () => {
    await write("before");
    return first.entries().some(({ subject }) => subject === subjectOf("before"));
  });
  const last = first.entries().findLast(({ id }) => id !== undefined)?.id;
  first.end.abort();
  await first.reading;
  for (const name of ["missed 1", "missed 2"]) await write(name);
  const second = await follow(t, "storeitemvalues.v1", last);
  const subjects = () => second.entries().map(({ subject }) => subject);
  await eventually("the missed event arrives", async () => subjects().includes(subjectOf("missed 2")));
  t.true(subjects().indexOf(subjectOf("missed 1")) < subjects().indexOf(subjectOf("missed 2")));
});

test("a caller who may read a store's labels sees which labels change, and resumes after the last event", async (t) => {
  const token = await shelfwire.token({ scope: "labels:read", stores: ["main"] });
  const write = (...labels: [store: string, barcode: string][]) =>
    writeLabelStreams(
      shelfwire.system.redis,
      labels.map(([store, barcode]) => `t/demo/s/${store}/labels/${barcode}`),
    );
  const address = `${shelfwire.base}/labels/tail`;
  const ofTenant = `${shelfwire.origin}/t/demo/api/management/v1/label-tail`;
  const all = await followAt(t, ofTenant, await shelfwire.token({ scope: "ops" }));
  const first = await followAt(t, address, token);
  await write(["other", "A1"]);
  await write(["main", "A2"], ["other", "A3"], ["main", "A2"]);
  await eventually("the tail receives the change", async () => first.entries().length > 0);
  await eventually("the tenant's tail receives all changes", async () => all.entries().length >= 3);
  t.deepEqual(
    first.entries().map(({ event }) => event),
    [{ storeId: "main", barcode: "A2" }],
  );
  t.deepEqual(
    all.entries().map(({ event: { barcode } }) => barcode),
    ["A1", "A2", "A3"],
  );
  first.end.abort();
  await first.reading;
  await write(["main", "A4"], ["other", "A5"]);
  const second = await followAt(t, address, token, first.entries()[0]?.id);
  await eventually("the tail receives the missed events", async () => second.entries().length > 0);
  t.deepEqual(
    second.entries().map(({ event: { barcode } }) => barcode),
    ["A4"],
  );
  const headers = { authorization: `Bearer ${token}` };
  await refused(t, await fetch(address.replace("/s/main/", "/s/other/"), { headers }), 403);
  await refused(t, await fetch(ofTenant, { headers }), 403);
  const itemsOnly = await shelfwire.token({ scope: "items:read", stores: ["main"] });
  await refused(t, await fetch(address, { headers: { authorization: `Bearer ${itemsOnly}` } }), 403);
});

test("an old topic carries its successor's changes", async (t) => {
  const tail = await follow(t, "dtoflow-changes-designerlink.v1");
  t.is(tail.answer.status, 200);
  tail.end.abort();
  await tail.reading;
});

test("when the API shuts down, its tails end after complete events", async (t) => {
  const api = await openOwnApi(shelfwire);
  const tail = await follow(t, "storeitemvalues.v1", undefined, { origin: new URL(api.base).origin });
  await eventually("the change is received", async () => {
    await write("at the end");
    return tail.entries().length > 0;
  });
  await api.close();
  await tail.reading;
  t.is(tail.outcome(), "ended");
});

/** Returns how often the server has executed a command. */
async function callsOf(command: string): Promise<number> {
  const statistics = await shelfwire.system.redis.info("commandstats");
  return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, "m").exec(statistics)?.[1] ?? 0);
}

/** Longer than the time between two reads of a stream. */
const SEVERAL_READS_MS = 600;

const noReaderIsLeft = () =>
  eventually("no stream is read any longer", async () => {
    const before = await callsOf("xread");
    await setTimeout(SEVERAL_READS_MS);
    return (await callsOf("xread")) === before;
  });

/** Returns the stream's entries with changes to these items; a change may be published more than once. */
async function entriesOf(...itemIds: string[]): Promise<StreamEntry[]> {
  const keys = new Set(itemIds.map(subjectOf));
  const range = { after: "0-0", upTo: "+", count: 1_000 };
  const all = await readStreamUpTo(shelfwire.system.redis, streamKey("t/demo", "storeitemvalues.v1"), range);
  return all.filter(({ content }) => (content as Change[]).some(({ key }) => keys.has(key)));
}

test.serial(
  "each of many tails of one topic receives every entry once, even if a change is published again",
  async (t) => {
    const tails = await Promise.all(Array.from({ length: 12 }, () => follow(t, "storeitemvalues.v1")));
    for (const name of ["shared 1", "shared 2"]) await write(name);
    const [entry] = await eventually("both changes are published", async () => {
      const entries = await entriesOf("shared 1", "shared 2");
      return entries.length >= 2 && entries;
    });
    // As the sweep does when a process has been slow to remove its published changes from the outbox.
    await writeStreams(shelfwire.system.redis, entry?.source as Topic, entry?.content as Change[]);
    const written = (await entriesOf("shared 1", "shared 2")).map(({ id }) => id);
    t.true(written.length >= 3);
    for (const tail of tails) {
      const given = () =>
        tail
          .entries()
          .filter(({ subject }) => [subjectOf("shared 1"), subjectOf("shared 2")].includes(subject))
          .map(({ id }) => id);
      await eventually("the last entry arrives", async () => given().includes(written.at(-1)));
      t.deepEqual(given().slice(0, written.length), written);
    }
    for (const { end } of tails) end.abort();
    await noReaderIsLeft();
  },
);

test.serial("a tail ends when its token expires, after a complete event", async (t) => {
  // A busy machine may take longer to open a tail than a short token lasts. In that case, the next token lasts twice as long.
  let seconds = 1;
  const tail = await eventually("the tail is open before its token expires", () => {
    seconds *= 2;
    return follow(t, "storeitemvalues.v1", undefined, { lifetime: `${seconds}s` });
  });
  const lasting = await follow(t, "storeitemvalues.v1");
  await eventually("the tail has ended", async () => {
    await write("until the end");
    return tail.outcome() === "ended";
  });
  t.is(lasting.outcome(), "open");
});

test.serial("a caller that disconnects frees its slot", async (t) => {
  for (let round = 0; round < 3; round += 1) {
    // More than half of a tenant's slots, so each round needs slots that the previous round used.
    const opened = Array.from({ length: 40 }, () => eventually("a slot is free", () => follow(t, "eslimage.v1")));
    const tails = await Promise.all(opened);
    for (const { end } of tails) end.abort();
    await Promise.all(tails.map(({ reading }) => reading));
  }
  t.pass();
});
