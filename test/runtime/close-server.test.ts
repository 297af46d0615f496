import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import { closeServer } from "../../runtime/close-server.ts";

test("a closing server responds to its calls and closes a busy connection", async (t) => {
  const waiting: (() => void)[] = [];
  const server = createServer((_, response) => void waiting.push(() => response.end()));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = () =>
    new Promise<{ connection: string | undefined }>((resolve, reject) => {
      const answered = get({ port, agent }, (answer) => {
        answer.resume().once("end", () => resolve({ connection: answer.headers.connection }));
      });
      answered.once("error", reject);
    });
  const answerNext = async () => {
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    waiting.shift()?.();
  };

  const [first, second] = [call(), call()];
  await answerNext();
  t.is((await first).connection, "keep-alive");
  while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const closed = closeServer(server);
  await answerNext();
  await second;
  await closed;
  await t.throwsAsync(call(), undefined, "the server accepts no more calls");
});
