import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import test, { type ExecutionContext } from "ava";
import { hasCallerLeft } from "../../../api/http/caller-left.ts";

/** Returns the error with which a stream's response ended after its caller read a little and disconnected. */
async function endOf(t: ExecutionContext, stream: AsyncGenerator<string>): Promise<Error> {
  const ended = Promise.withResolvers<Error>();
  const server = createServer((_, response) => void pipeline(Readable.from(stream), response).catch(ended.resolve));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.teardown(() => server.close());
  const end = new AbortController();
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}`, { signal: end.signal });
  await answer.body?.getReader().read();
  end.abort();
  return ended.promise;
}

test("a caller that disconnects is recognized by the error of its stream", async (t) => {
  async function* forever() {
    for (;;) {
      yield ": nothing new\n\n";
      await new Promise((done) => setTimeout(done, 5));
    }
  }
  t.true(hasCallerLeft(await endOf(t, forever())));
});

test("a stream that fails is not mistaken for a caller that disconnected", async (t) => {
  async function* broken() {
    yield ": nothing new\n\n";
    throw new Error("the database went away");
  }
  t.false(hasCallerLeft(await endOf(t, broken())));
});
