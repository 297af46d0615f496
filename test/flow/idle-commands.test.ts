import test from "ava";
import { sentinelKey } from "../../queues/changes/audit-parts.ts";
import { openLog } from "../../runtime/log.ts";
import { createMongoWatcher } from "../harness/cost/mongodb-watcher.ts";
import { watchRedis } from "../harness/cost/redis-watcher.ts";
import { eventually } from "../harness/eventually.ts";
import { ownStack } from "../harness/own.ts";
import { hostWith } from "../harness/threads/host.ts";

/** Commands that the workers of one process send to the databases while there is no work, counted per round and not by time. */
const mongo = createMongoWatcher();
const shelfwire = ownStack(
  { withProxy: mongo.watcher },
  hostWith((name, { LOG_LEVEL = "silent" }) => openLog(name, LOG_LEVEL), { areFirstTogether: true }),
);

const ROUNDS = 6;
/**
 * Limits for one round, in which nine workers look for work. Measured: 5.5 and 0.9; 34 and 8 if each worker looks at a different
 * time.
 */
const MOST_COMMANDS = 12;
const MOST_SCRIPTS = 3;

test.serial("in a round without work, the workers of a process look for work together", async (t) => {
  const redis = watchRedis(shelfwire.databases.redis.url, shelfwire.system.redis);
  t.teardown(() => redis.close());
  let rounds = 0;
  let scripts = 0;
  const count = async () => {
    const polls = (await redis.take()).filter(({ key, isInScript }) => !isInScript && key.endsWith(":sentinel"));
    scripts += polls.length;
    rounds += polls.filter((poll) => poll.arguments.includes(sentinelKey("item"))).length;
    return rounds;
  };
  // Waits until the work after start-up is done: first audits, and first sweeps, which run each second and release their lease.
  await eventually("no walk and no requested sweep is running", async () => {
    if ((await count()) < 3) return false;
    rounds = 0;
    const commands = mongo.take();
    const unfinished = await shelfwire.system.db.collection("walk").countDocuments({ finishedAt: { $exists: false } });
    return unfinished === 0 && commands.every(({ name }) => name !== "delete lease");
  });
  await count();
  [rounds, scripts] = [0, 0];
  mongo.take();
  await eventually("the workers have looked for work several times", async () => (await count()) >= ROUNDS);
  const commands = mongo.take();
  const names = Map.groupBy(commands, ({ name }) => name);
  t.log(JSON.stringify({ rounds, scripts, ...Object.fromEntries([...names].map(([name, of]) => [name, of.length])) }));
  t.true(commands.length <= MOST_COMMANDS * rounds, `${commands.length} commands to MongoDB in ${rounds} rounds`);
  t.true(scripts <= MOST_SCRIPTS * rounds, `${scripts} Redis scripts in ${rounds} rounds`);
});
