import test from "ava";
import { openChoices } from "../../../queues/publish/choices.ts";
import { itemKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";
import { sayingToBe } from "../../harness/system.ts";

const own = ownSystem();
const [milk, bread] = ["milk", "bread"].map((itemId) => itemKey("t/demo/s/main", itemId)) as [string, string];

test("consecutive unread changes are merged, and a change that a rule reads ends the series", async (t) => {
  const choices = openChoices(own.system.redis, (error) => t.fail(error.message));
  await choices.noteUnread(new Map([[milk, { from: 1, to: 2 }]]));
  await choices.noteUnread(
    new Map([
      [milk, { from: 2, to: 3 }],
      [bread, { from: 7, to: 8 }],
    ]),
  );
  t.deepEqual(
    [...(await choices.readUnread([milk, bread, "nothing"]))],
    [
      [milk, { from: 1, to: 3 }],
      [bread, { from: 7, to: 8 }],
    ],
  );
  // A sweep publishes the change again.
  await choices.noteUnread(new Map([[milk, { from: 1, to: 2 }]]));
  await choices.noteUnread(new Map([[milk, { from: 2, to: 3 }]]));
  t.deepEqual([...(await choices.readUnread([milk]))], [[milk, { from: 1, to: 3 }]]);
  // A rule read the change from 3 to 4.
  await choices.noteUnread(new Map([[milk, { from: 4, to: 5 }]]));
  t.deepEqual([...(await choices.readUnread([milk]))], [[milk, { from: 4, to: 5 }]]);
});

test("a link's newest choice is read, or none while Redis is unreachable, which is reported", async (t) => {
  const faults: string[] = [];
  const choices = openChoices(own.system.redis, (error) => void faults.push(error.message));
  await choices.note(new Map([["a", { itemRev: 5, design: "offer" }]]));
  await choices.note(new Map([["a", { itemRev: 6, design: null }]]));
  t.deepEqual([...(await choices.read(["a", "b"]))], [["a", { itemRev: 6, design: null }]]);
  const broken = new Proxy(sayingToBe(own.system.redis, "end"), {
    get: (target, name) =>
      name === "mget" ? () => Promise.reject(new Error("no connection")) : Reflect.get(target, name),
  });
  const unreachable = openChoices(broken, (error) => void faults.push(error.message));
  t.deepEqual([...(await unreachable.read(["a"])), ...(await unreachable.readUnread([milk]))], []);
  t.deepEqual(faults, ["no connection", "no connection"]);
});
