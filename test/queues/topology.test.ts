import { readdir } from "node:fs/promises";
import test from "ava";
import {
  type ProcessName,
  processNames,
  publishedBy,
  type QueueName,
  queueNames,
  queueOfJob,
  queuesOf,
  rowOf,
  subscribers,
} from "../../queues/topology.ts";
import { type Operation, type Topic, topics } from "../../schemas/topics.ts";

const operations: Operation[] = ["CREATED", "UPDATED", "DELETED"];
const jobNames = queueNames.flatMap((queue) => Object.keys(rowOf(queue).jobs));
const workers = new URL("../../workers/", import.meta.url);

test("every topic has a subscriber", (t) => {
  for (const topic of topics) {
    t.true(
      operations.some((operation) => subscribers(topic, { operation }).length > 0),
      topic,
    );
  }
});

test("a process changes only records of its queues' topics", (t) => {
  const published = Object.fromEntries(processNames.map((process) => [process, publishedBy(process).toSorted()]));
  t.deepEqual(published.transmitter, [
    "flashsequence.v1",
    "labelbattery.v1",
    "labelpress.v1",
    "labelsensors.v1",
    "storeesl.v1",
    "switchstate.v1",
  ]);
  t.deepEqual(published.evaluator, ["canvasdesign.v1", "communicationpack.v1", "design.v1", "store", "studiolink.v1"]);
  t.deepEqual(published.merger, ["eslimage.v1"]);
  t.deepEqual(published.renderer, ["ecceslimage.v1", "eslimage.v1", "renderedimage.v1"]);
  t.deepEqual(published.notifier, []);
  for (const process of processNames)
    t.deepEqual(
      published[process],
      [...new Set(queuesOf(process).flatMap((queue) => rowOf(queue).publishes))].toSorted(),
      process,
    );
});

test("every queue has a topic or a job", (t) => {
  for (const queue of queueNames) {
    const { topics: own, jobs } = rowOf(queue);
    t.true(own.length + Object.keys(jobs).length > 0, queue);
  }
});

const workersOf = (topic: Topic, operation: Operation) =>
  subscribers(topic, { operation }).filter((queue) => !rowOf(queue).observes);

test("every change can be observed", (t) => {
  for (const topic of topics)
    for (const operation of operations)
      t.true(subscribers(topic, { operation }).includes("notifier"), `${topic} ${operation}`);
});

const rules: [string, Topic, Operation[], QueueName[]][] = [
  [
    "rule 11: new item values are published to evaluator and renderer",
    "storeitemvalues.v1",
    ["UPDATED"],
    ["evaluator", "renderer"],
  ],
  ["a deleted item changes its links first", "storeitemvalues.v1", ["DELETED"], ["link"]],
  ["a new item changes its links first", "storeitemvalues.v1", ["CREATED"], ["link"]],
  ["rule 1: every link change is evaluated and projected", "link.v2", operations, ["evaluator", "link"]],
  ["an ECC link is drawn by its model", "ecclink.v1", operations, ["renderer"]],
  ["a store-level link is evaluated for its item's labels", "storelink.v1", operations, ["evaluator"]],
  ["rules 1 and 10: a communication pack is evaluated again", "communicationpack.v1", operations, ["evaluator"]],
  ["a studiolink is projected to the designerlink for drawing", "studiolink.v1", operations, ["link"]],
  ["a designerlink is drawn", "designerlink.v1", operations, ["renderer"]],
  ["a design is evaluated again and drawn again", "design.v1", operations, ["evaluator", "renderer"]],
  ["a canvas design is drawn again", "canvasdesign.v1", operations, ["renderer"]],
  ["a design image is decoded", "asset.v1", operations, ["pages"]],
  ["a decoded design image is drawn", "assetfile.v1", operations, ["renderer"]],
  ["a changed label is drawn again, and its links follow it", "storeesl.v1", ["UPDATED"], ["link", "renderer"]],
  ["a new label has no links to draw yet", "storeesl.v1", ["CREATED"], []],
  ["a link's picture is merged into its label's", "renderedimage.v1", operations, ["merger"]],
  ["an ECC link's picture is merged into its label's", "ecceslimage.v1", operations, ["merger"]],
  [
    "a changed store is drawn, evaluated and reached again",
    "store",
    ["UPDATED"],
    ["evaluator", "renderer", "transmitter"],
  ],
  ["a changed label type is drawn again", "labeltype", ["UPDATED"], ["renderer"]],
  ["a new label type has no labels yet", "labeltype", ["CREATED"], []],
  ["a label's picture is transmitted", "eslimage.v1", operations, ["transmitter"]],
  ["the orders of a flash sequence that advances are sent", "flashsequence.v1", ["CREATED", "UPDATED"], ["flash"]],
  ["presses and temperatures are only for observers", "labelpress.v1", operations, []],
  ["a switch's progress is only for observers", "switchstate.v1", operations, []],
  ["a battery that must be replaced is reported only to observers", "labelbattery.v1", operations, []],
];
for (const [rule, topic, when, queues] of rules) {
  test(rule, (t) => {
    for (const operation of when) t.deepEqual(workersOf(topic, operation).toSorted(), queues, operation);
  });
}

test("an item that is created again has new values, even if its links cannot change", (t) => {
  const queues = subscribers("storeitemvalues.v1", { operation: "CREATED", wasDeleted: true });
  t.deepEqual(queues.filter((queue) => !rowOf(queue).observes).toSorted(), ["evaluator", "link", "renderer"]);
});

test("a queue subscribes to every operation of its topics unless its row lists some", (t) => {
  for (const queue of queueNames) {
    const { topics: own, only = {} } = rowOf(queue);
    for (const topic of topics) {
      const subscribed = operations.filter((operation) => subscribers(topic, { operation }).includes(queue));
      const needed = operations.filter((operation) => (only[topic] ?? operations).includes(operation));
      t.deepEqual(subscribed, own.includes(topic) ? needed : []);
    }
  }
});

test("a queue lists operations only for topics that it subscribes to, and at least one for each", (t) => {
  for (const queue of queueNames) {
    const { topics: own, only = {} } = rowOf(queue);
    for (const [topic, needed] of Object.entries(only)) {
      t.true(
        own.some((taken) => taken === topic),
        `${queue} does not subscribe to ${topic}`,
      );
      t.true(needed.length > 0, `${queue} receives no operation of ${topic}`);
    }
  }
});

test("a job goes to the queue that names it", (t) => {
  for (const queue of queueNames) {
    for (const job of Object.keys(rowOf(queue).jobs)) t.is(queueOfJob(job), queue);
  }
});

test("a job that no queue names is refused, and the error names it", (t) => {
  for (const job of ["patch-tenants", "", "storeitemvalues.v1", "toString", "__proto__"]) {
    t.throws(() => queueOfJob(job), { message: new RegExp(`"${job}"`) });
  }
});

test("every job's name is unique across queues and differs from every topic", (t) => {
  t.is(new Set(jobNames).size, jobNames.length);
  t.deepEqual(
    jobNames.filter((job) => topics.some((topic) => topic === job)),
    [],
  );
});

test("a queue subscribes to each of its topics once", (t) => {
  for (const queue of queueNames) t.is(new Set(rowOf(queue).topics).size, rowOf(queue).topics.length, queue);
});

test("a queue's name can be a folder, a process and a Redis key", (t) => {
  for (const queue of queueNames) t.regex(queue, /^[a-z][a-z-]*$/);
});

test("every queue processes whole batches", (t) => {
  for (const queue of queueNames) t.true(Number.isInteger(rowOf(queue).batch) && rowOf(queue).batch > 0, queue);
});

test("every queue is served by one process, which is named after one of its queues", (t) => {
  const served = processNames.flatMap((name) => queuesOf(name).map((queue): [QueueName, ProcessName] => [queue, name]));
  t.deepEqual(served.map(([queue]) => queue).toSorted(), queueNames.toSorted());
  for (const [queue, name] of served) t.is(rowOf(queue).process ?? queue, name);
  for (const name of processNames) t.true(queuesOf(name).some((queue) => queue === name));
});

test("flashes do not wait for pictures: they have their own queue in the transmitter's process", (t) => {
  t.deepEqual(queuesOf("transmitter"), ["transmitter", "flash"]);
  t.deepEqual(rowOf("flash").topics, ["flashsequence.v1"]);
});

test("only queues without topics have jobs without batches, except images and flash sequences", (t) => {
  const alone: Partial<Record<QueueName, Topic[]>> = { pages: ["asset.v1"], flash: ["flashsequence.v1"] };
  for (const queue of queueNames.filter((name) => rowOf(name).concurrency !== undefined)) {
    t.deepEqual(rowOf(queue).topics, alone[queue] ?? [], queue);
  }
});

test("every process has a worker's folder with its handlers and its process file, and no other folder exists", async (t) => {
  const entries = await readdir(workers, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  t.deepEqual(folders.toSorted(), processNames.toSorted());
  for (const name of processNames) {
    const files = await readdir(new URL(`${name}/`, workers));
    for (const file of ["index.ts", "process.ts", "world.ts"]) t.true(files.includes(file), `workers/${name}/${file}`);
  }
});
