import test, { type ExecutionContext } from "ava";
import { followReportPrompts, promptReports } from "../../../queues/publish/report-prompts.ts";
import { openWorkerRedis } from "../../../queues/redis.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();

/** Transmitters that count the prompts they receive. */
function followers(t: ExecutionContext, count: number) {
  const redis = openWorkerRedis({ REDIS_URL: world.databases.redis.url });
  t.teardown(() => redis.disconnect());
  const received = new Array<number>(count).fill(0);
  const errors: Error[] = [];
  const following = received.map((_, index) =>
    followReportPrompts(
      redis,
      () => {
        received[index] = (received[index] ?? 0) + 1;
      },
      (error) => void errors.push(error),
    ),
  );
  const close = async () => void (await Promise.all(following.map((one) => one.close())));
  t.teardown(close);
  return { received, errors, close, total: () => received.reduce((sum, one) => sum + one, 0) };
}

const prompt = (t: ExecutionContext) => promptReports(world.system.redis, (error) => t.fail(error.message));
const waiting = () => world.system.redis.llen("{transmitter}:report-prompts");
/** Whether exactly this many transmitters are waiting for a prompt. */
const isBlocked = async (count: number) => {
  const clients = String(await world.system.redis.client("LIST"));
  return clients.split("\n").filter((line) => line.includes("cmd=brpop")).length === count;
};

test.serial("each prompt wakes one waiting transmitter", async (t) => {
  const { received, total } = followers(t, 2);
  // Redis wakes the transmitter that has waited longest, and each transmitter begins to wait again every five seconds.
  for (let sent = 1; sent <= 4 || (received.includes(0) && sent < 100); sent += 1) {
    await eventually("both wait", () => isBlocked(2));
    prompt(t);
    await eventually("one receives the prompt", async () => total() === sent);
  }
  t.false(received.includes(0), "each transmitter is woken");
  t.is(await waiting(), 0);
});

test.serial("at most 128 prompts wait for a transmitter", async (t) => {
  for (let sent = 0; sent < 200; sent += 1) prompt(t);
  await eventually("they are stored", async () => (await waiting()) === 128);
  const { total } = followers(t, 1);
  t.is(await eventually("they are received", async () => (await waiting()) === 0 && total() === 128 && total()), 128);
});

test.serial("a transmitter whose connection was closed receives later prompts", async (t) => {
  const { total, close } = followers(t, 1);
  await eventually("it waits", () => isBlocked(1));
  await world.system.redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  await eventually("it waits again", () => isBlocked(1));
  prompt(t);
  t.is(await eventually("it receives the prompt", async () => total() === 1 && total()), 1);
  await close();
  t.true(await eventually("nobody waits", () => isBlocked(0)));
});
