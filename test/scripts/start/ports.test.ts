import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { Worker } from "node:worker_threads";
import test, { type ExecutionContext } from "ava";
import { freePort, isFree, onFreePort, PortTakenError, portsOutside } from "../../../scripts/start/ports.ts";
import { startRedis } from "../../../scripts/start/servers.ts";

const PORTS = new URL("../../../scripts/start/ports.ts", import.meta.url).href;

/** Starts a server that listens until the test ends, on this port or on a port that the kernel assigns. */
async function listen(t: ExecutionContext, port = 0, host?: string): Promise<number> {
  const server: Server = createServer().listen(port, host);
  await once(server, "listening");
  t.teardown(() => server.close());
  return (server.address() as { port: number }).port;
}

for (const [what, ephemeral, expected] of [
  ["Linux defaults", "32768\t60999\n", { first: 20_000, last: 32_767 }],
  ["a range with a low start", "1024\t50000\n", { first: 50_001, last: 65_535 }],
  ["a range with a low start and end", "1024\t10000\n", { first: 20_000, last: 65_535 }],
  ["the full range", "1024\t65535\n", { first: 20_000, last: 30_000 }],
  ["a system that does not report its range", undefined, { first: 20_000, last: 30_000 }],
  ["nonsense", "many\n", { first: 20_000, last: 30_000 }],
] as const) {
  test(`ports are outside the ephemeral range: ${what}`, (t) => {
    t.deepEqual(portsOutside(ephemeral), expected);
  });
}

test("a returned port is free and differs between draws", async (t) => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  t.is(new Set(ports).size, 20);
  for (const port of ports) t.true(port >= 20_000 && port <= 65_535);
});

test("threads of a process draw different ports, even before they use them", async (t) => {
  const program = `const { freePort } = await import(${JSON.stringify(PORTS)});
    const ports = [];
    while (ports.length < 200) ports.push(await freePort());
    (await import("node:worker_threads")).parentPort.postMessage(ports);`;
  const drawn = await Promise.all([1, 2, 3].map(() => once(new Worker(program, { eval: true }), "message")));
  t.is(new Set(drawn.flat(2)).size, 600);
});

for (const host of [undefined, "127.0.0.1"]) {
  test(`a port is in use if a process listens on it: ${host ?? "every address"}`, async (t) => {
    t.false(await isFree(await listen(t, 0, host)));
  });
}

test("Redis reports that its port is in use, and is not mistaken for the server that responds there", async (t) => {
  const port = await listen(t);
  await t.throwsAsync(startRedis(port), {
    instanceOf: PortTakenError,
    message: `Redis cannot listen: port ${port} is taken`,
  });
  const first = await onFreePort((port) => startRedis(port));
  t.teardown(() => first.kill());
  await t.throwsAsync(startRedis(Number(new URL(first.url).port)), { instanceOf: PortTakenError });
});

test("a server whose port is taken in the meantime starts on another port", async (t) => {
  const tried: number[] = [];
  const port = await onFreePort(async (free) => {
    tried.push(free);
    if (tried.length === 1) throw new PortTakenError(`port ${free} is taken`);
    return free;
  });
  t.deepEqual([tried.length, tried[1]], [2, port]);
});

test("a server that fails for another reason is not started again", async (t) => {
  let starts = 0;
  await t.throwsAsync(
    onFreePort(async () => {
      starts += 1;
      throw new Error("no such program");
    }),
    { message: "no such program" },
  );
  t.is(starts, 1);
});

test("a server is started on at most five ports", async (t) => {
  let starts = 0;
  await t.throwsAsync(
    onFreePort(async (port) => {
      starts += 1;
      throw new PortTakenError(`port ${port} is taken`);
    }),
    { instanceOf: PortTakenError },
  );
  t.is(starts, 5);
});
