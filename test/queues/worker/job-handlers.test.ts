import { setImmediate } from "node:timers/promises";
import test from "ava";
import { type Handlers, queueNames, rowOf } from "../../../queues/topology.ts";
import { createJobHandlers } from "../../../queues/worker/job-handlers.ts";
import type { FlashOrder, RequestChunk } from "../../../schemas/jobs.ts";
import { itemHandlers } from "../../harness/worker.ts";
import { change, chunk, handlersOf, ignore, namesOf, stays, unordered } from "./bare-handlers.ts";

for (const queue of queueNames) {
  test(`the queue "${queue}" has a job handler for each of its topics and jobs`, (t) => {
    const jobHandlers = createJobHandlers(queue, handlersOf(queue, namesOf(queue)), ignore, stays, unordered);
    t.deepEqual([...jobHandlers.keys()].toSorted(), namesOf(queue).toSorted());
  });

  test(`the queue "${queue}" refuses to start if one of its handlers is missing, and names the missing handler`, (t) => {
    for (const missing of namesOf(queue)) {
      const others = namesOf(queue).filter((name) => name !== missing);
      const error = t.throws(() => createJobHandlers(queue, handlersOf(queue, others), ignore, stays, unordered));
      t.true(error.message.includes(`"${queue}"`) && error.message.includes(missing), error.message);
    }
  });

  test(`the queue "${queue}" refuses a handler of an unknown topic or job and names it`, (t) => {
    for (const unknown of ["storeitemvalue.v1", "toString"]) {
      const error = t.throws(() =>
        createJobHandlers(queue, handlersOf(queue, [...namesOf(queue), unknown]), ignore, stays, unordered),
      );
      t.true(error.message.includes(`"${queue}"`) && error.message.includes(unknown), error.message);
    }
  });
}

/** The item queue's job handlers; their calls end when `end` is called. */
function openItemHandlers(isPostponed: (chunk: RequestChunk) => boolean = () => false) {
  const calls: number[][] = [];
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const handler = async (chunks: readonly RequestChunk[]) => {
    calls.push(chunks.map(({ number }) => number));
    await promise;
    return chunks.filter(isPostponed);
  };
  const jobHandlers = createJobHandlers("item", itemHandlers(handler), ignore, stays, unordered);
  const take = (job: string, data: object, urgency: "interactive" | "bulk") =>
    jobHandlers.get(job)?.handle(data, urgency);
  return { calls, end, take };
}

test("interactive work does not wait for bulk work, and no job waits for another", async (t) => {
  const { calls, end, take } = openItemHandlers();
  const all = [
    take("patch-items", chunk(1), "bulk"),
    take("patch-items", chunk(2), "interactive"),
    take("delete-items", chunk(3), "bulk"),
    take("patch-items", chunk(4), "bulk"),
  ];
  await setImmediate();
  t.deepEqual(calls, [[1], [2], [3]]);
  end();
  t.deepEqual(await Promise.all(all), ["done", "done", "done", "done"]);
  t.deepEqual(calls, [[1], [2], [3], [4]]);
});

test("a job is retried later only if its handler returns it", async (t) => {
  const { end, take } = openItemHandlers(({ number }) => number % 2 === 0);
  end();
  const all = [1, 2, 3, 4, 6].map((number) => take("patch-items", chunk(number), "bulk"));
  t.deepEqual(await Promise.all(all), ["done", "later", "done", "later", "later"]);
});

test("a call receives at most as many rows as the topology allows, however few jobs contain them", async (t) => {
  const { calls, end, take } = openItemHandlers();
  const half = rowOf("item").batch / 2;
  const all = [1, 2, 3, 4].map((number) => take("patch-items", chunk(number, half), "bulk"));
  end();
  await Promise.all(all);
  t.deepEqual(calls, [[1], [2, 3], [4]]);
});

test("a job's data is checked against its schema in the topology", (t) => {
  const items = createJobHandlers("item", handlersOf("item", namesOf("item")), ignore, stays, unordered);
  t.deepEqual(items.get("patch-items")?.check(chunk(1)), []);
  t.deepEqual(items.get("patch-items")?.check({ ...chunk(1), number: "1" })[0]?.pointer, "/number");
  const images = createJobHandlers("merger", handlersOf("merger", namesOf("merger")), ignore, stays, unordered);
  t.deepEqual(images.get("renderedimage.v1")?.check({ changes: [change("a")] }), []);
  t.is(images.get("renderedimage.v1")?.check({ changes: [] }).length, 1);
});

const flashOrder = (barcode: string): FlashOrder => ({
  store: "t/demo/s/main",
  barcode,
  number: 1,
  priority: "high",
  transceivers: ["T1"],
  body: { duration: 4, color: "GREEN", flashType: 50 },
});

test("jobs of a queue without batches do not wait for each other", async (t) => {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const calls: string[][] = [];
  const jobHandlers = createJobHandlers(
    "flash",
    {
      async flash(orders) {
        calls.push(orders.map(({ barcode }) => barcode));
        if (orders[0]?.barcode === "hangs") await promise;
        return [];
      },
      "display-page": async () => [],
      "flashsequence.v1": async () => {},
    },
    ignore,
    stays,
    unordered,
  );
  const flash = (barcode: string) => jobHandlers.get("flash")?.handle(flashOrder(barcode), "interactive");
  const hanging = flash("hangs");
  t.is(await flash("A"), "done");
  t.is(await flash("B"), "done");
  t.deepEqual(calls, [["hangs"], ["A"], ["B"]]);
  end();
  t.is(await hanging, "done");
});

test("a handler may set the delay before a job is retried", async (t) => {
  const handler = async (orders: readonly FlashOrder[]) =>
    new Map(orders.filter(({ barcode }) => barcode === "busy").map((order) => [order, 1700]));
  const jobHandlers = createJobHandlers(
    "flash",
    { flash: handler, "display-page": async () => [], "flashsequence.v1": async () => {} },
    ignore,
    stays,
    unordered,
  );
  t.deepEqual(await jobHandlers.get("flash")?.handle(flashOrder("busy"), "bulk"), { afterMs: 1700 });
  t.is(await jobHandlers.get("flash")?.handle(flashOrder("free"), "bulk"), "done");
});

test("a batch runs with the urgency of its jobs; a wake-up has none, since bulk work causes wake-ups as well", async (t) => {
  const ran: string[] = [];
  const as =
    (urgency: string) =>
    <T>(work: () => Promise<T>) => {
      ran.push(urgency);
      return work();
    };
  const precedence = { interactive: as("interactive"), bulk: as("bulk") };
  const jobHandlers = createJobHandlers(
    "transmitter",
    handlersOf("transmitter", namesOf("transmitter")),
    ignore,
    stays,
    precedence,
  );
  for (const [job, data] of [
    ["eslimage.v1", { changes: [change("t/demo/s/main/labels/a")] }],
    ["refresh-labels", chunk(1)],
    ["reports", {}],
  ] as const)
    for (const urgency of ["interactive", "bulk"] as const) {
      ran.length = 0;
      await jobHandlers.get(job)?.handle(data, urgency);
      t.deepEqual(ran, job === "reports" ? [] : [urgency], `${job} ${urgency}`);
    }
});

test("a job without parts is done, and a job of a queue without batches ends as its handler decides", async (t) => {
  const images = createJobHandlers("merger", handlersOf("merger", namesOf("merger")), ignore, stays, unordered);
  t.is(await images.get("renderedimage.v1")?.handle({ changes: [] }, "bulk"), "done");
  const postponing = Object.fromEntries(
    namesOf("flash").map((name) => [name, async (orders: readonly unknown[]) => new Map([[orders[0], 500]])]),
  ) as unknown as Handlers<"flash">;
  const flash = createJobHandlers("flash", postponing, ignore, stays, unordered);
  const name = "flash";
  t.deepEqual(await flash.get(name)?.handle({}, "interactive"), { afterMs: 500 });
  const done = createJobHandlers("flash", handlersOf("flash", namesOf("flash")), ignore, stays, unordered);
  t.is(await done.get(name)?.handle({}, "interactive"), "done");
});
