import test from "ava";
import { rowOf } from "../../../queues/topology.ts";
import { createJobHandlers } from "../../../queues/worker/job-handlers.ts";
import { ownerOf } from "../../../schemas/keys.ts";
import { change, handlersOf, ignore, namesOf, nothingBehind, stays, unordered } from "./bare-handlers.ts";

test("the changes in a batch of a topic's jobs are handled as one list, in order", async (t) => {
  const calls: [string, string[]][] = [];
  const jobHandlers = createJobHandlers(
    "merger",
    handlersOf("merger", namesOf("merger")),
    async (topic, changes) => {
      calls.push([topic, changes.map(({ key }) => key)]);
      return nothingBehind;
    },
    stays,
    unordered,
  );
  const jobHandler = jobHandlers.get("renderedimage.v1");
  const jobs = [["a", "b"], ["c"], ["d", "a"]].map((keys) => ({ changes: keys.map(change) }));
  t.deepEqual(await Promise.all(jobs.map((data) => jobHandler?.handle(data, "bulk"))), ["done", "done", "done"]);
  t.deepEqual(calls, [
    ["renderedimage.v1", ["a", "b"]],
    ["renderedimage.v1", ["c", "d", "a"]],
  ]);
});

test("jobs with a thousand changes are handled in parts, and other stores and tenants take turns between them", async (t) => {
  const calls: string[][] = [];
  const jobHandlers = createJobHandlers(
    "renderer",
    handlersOf("renderer", namesOf("renderer")),
    async (_, changes) => {
      calls.push([...new Set(changes.map(({ key }) => ownerOf(key)))]);
      t.true(changes.length <= rowOf("renderer").batch);
      return nothingBehind;
    },
    stays,
    unordered,
  );
  const job = (store: string, size: number) => ({
    changes: Array.from({ length: size }, (_, index) => change(`${store}/links/${index}`)),
  });
  const [main, other, foreign] = ["t/demo/s/main", "t/demo/s/other", "t/foreign/s/main"] as const;
  const jobs = [job(main, 1000), job(main, 1000), job(foreign, 200), job(other, 200)];
  await Promise.all(jobs.map((data) => jobHandlers.get("designerlink.v1")?.handle(data, "bulk")));
  t.deepEqual(calls.slice(0, 4), [[main], [main], [foreign], [other]]);
  t.is(calls.length, 10);
});

test("only jobs whose changes are newer than the read records are late, and the batch's other jobs are done", async (t) => {
  const jobHandlers = createJobHandlers(
    "renderer",
    handlersOf("renderer", namesOf("renderer")),
    async () => ({ behind: new Map([["t/demo/s/main/links/a", 6]]) }),
    stays,
    unordered,
  );
  const at = (key: string, rev: number) => ({ ...change(`t/demo/s/main/links/${key}`), rev });
  const jobs = [[at("a", 5)], [at("b", 9)], [at("b", 9), at("a", 9)], [at("a", 0)]];
  const verdicts = jobs.map((changes) => jobHandlers.get("designerlink.v1")?.handle({ changes }, "bulk"));
  t.deepEqual(await Promise.all(verdicts), ["done", "done", { behind: [at("a", 9)] }, "done"]);
  const parts = [...Array.from({ length: 600 }, (_, index) => at(`${index}`, 1)), at("a", 7)];
  const verdict = await jobHandlers.get("designerlink.v1")?.handle({ changes: parts }, "bulk");
  t.deepEqual(verdict, { behind: [at("a", 7)] }, "even if another part comes first");
});

test("a job with a failed part is rejected after all of its parts are handled", async (t) => {
  let calls = 0;
  const jobHandlers = createJobHandlers(
    "renderer",
    handlersOf("renderer", namesOf("renderer")),
    async () => {
      calls += 1;
      if (calls === 1) throw new Error("an error of the first part");
      return nothingBehind;
    },
    stays,
    unordered,
  );
  const changes = Array.from({ length: 1000 }, (_, index) => change(`t/demo/s/main/links/${index}`));
  const handling = jobHandlers.get("designerlink.v1")?.handle({ changes }, "bulk");
  await t.throwsAsync(async () => handling, { message: "an error of the first part" });
  t.is(calls, 4);
});

test("a job with an unprocessed part at shutdown is returned as a whole", async (t) => {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const closing = new AbortController();
  const handlers = handlersOf("renderer", namesOf("renderer"));
  const jobHandlers = createJobHandlers("renderer", handlers, () => promise.then(ignore), closing.signal, unordered);
  const changes = Array.from({ length: 1000 }, (_, index) => change(`t/demo/s/main/links/${index}`));
  const handling = jobHandlers.get("designerlink.v1")?.handle({ changes }, "bulk");
  closing.abort();
  end();
  t.is(await handling, "given back");
});
