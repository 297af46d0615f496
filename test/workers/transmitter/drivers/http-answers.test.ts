import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { httpLabelServer, MAX_ANSWER_BYTES } from "../../../../workers/transmitter/drivers/http.ts";
import { page, refused, SECRET, serve } from "../serve.ts";

const MIB = 2 ** 20;
const times = { timeoutMs: 60_000, totalMs: 60_000, retryAfterMs: 3_000 };

/** A label server whose responses are written by `answer`, and a driver for it. */
async function answering(t: ExecutionContext, answer: (response: ServerResponse) => void, totalMs = times.totalMs) {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const pages = { ...times, totalMs };
  const driver = httpLabelServer(`http://127.0.0.1:${port}`, [SECRET], 2, () => 0, undefined, { pages, orders: pages });
  const close = () => new Promise<void>((closed) => server.close(() => closed()).closeAllConnections());
  t.teardown(async () => {
    await driver.close();
    await close();
  });
  return { driver, port, close };
}

for (const [status, kind] of [
  [202, "accepted"],
  [400, "refused"],
  [503, "later"],
] as const) {
  test(`only a few KiB of a ${status} response are read, and its status still decides the outcome`, async (t) => {
    let parts = 0;
    const { driver, close } = await answering(t, (response) => {
      response.writeHead(status);
      const part = Buffer.alloc(MIB, "x");
      const write = () => {
        while (parts < 200 && !response.destroyed) {
          parts += 1;
          if (!response.write(part)) return void response.once("drain", write);
        }
        response.end();
      };
      write();
    });
    t.is((await driver.sendPage(page)).kind, kind);
    const { detail } = driver.lastCalls().failure ?? {};
    t.true((detail ?? "").length <= MAX_ANSWER_BYTES);
    await close();
    // `parts` also counts data that is still in the sockets' buffers.
    t.true(parts < 64, `${parts} MiB`);
  });
}

test("an endless response that arrives byte by byte ends the call", async (t) => {
  const { driver } = await answering(
    t,
    (response) => {
      response.writeHead(202);
      const drip = setInterval(() => response.write("x"), 20);
      response.once("close", () => clearInterval(drip));
    },
    500,
  );
  const reason = "the label server did not answer: TimeoutError";
  t.deepEqual(await driver.sendPage(page), { kind: "later", afterMs: 3_000, reason, server: "silent" });
});

test("a label server's redirects are not followed", async (t) => {
  const { driver, calls } = await serve(t, () => ({ status: 307, headers: { location: "/elsewhere" } }));
  t.deepEqual(await driver.sendPage(page), refused(307));
  t.is(calls.length, 1);
});

test("a tenant's view of a failed call has no address, and the operator's has", async (t) => {
  // No program listens on this port, which requires more privileges than tests have. Another program may take a freed port.
  const port = 1;
  const driver = httpLabelServer(`http://127.0.0.1:${port}`, [SECRET], 2, () => 0);
  const { reason } = (await driver.sendPage(page)) as { reason: string };
  t.is(reason, "the label server did not answer: ECONNREFUSED");
  t.like(driver.lastCalls().failure, { reason, detail: `connect ECONNREFUSED 127.0.0.1:${port}` });
});

test("only the operator sees the text of a label server's response", async (t) => {
  const body = "the gateway esl-3.internal:8080 refused it";
  for (const status of [404, 503]) {
    const { driver } = await serve(t, () => ({ status, body }));
    t.like(await driver.sendPage(page), { reason: `the label server answered ${status}` });
    t.like(driver.lastCalls().failure, { reason: `the label server answered ${status}`, detail: body });
  }
});

test("a label server whose responses carry a different boot ID has restarted", async (t) => {
  let bootId = "a";
  const time = { ms: 0 };
  const reply = () => ({ status: 202, headers: { "boot-id": bootId } });
  const { driver } = await serve(t, reply, { clock: () => time.ms });
  await driver.sendPage(page);
  t.is(driver.restartedAt?.(), undefined);
  bootId = "b";
  time.ms = 500;
  await driver.sendPage(page);
  t.is(driver.restartedAt?.(), 500);
});
