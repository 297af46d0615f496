import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import Koa from "koa";
import { pino } from "pino";
import { createBodyBudget } from "../../../api/body/body-budget.ts";
import { bodyLimits } from "../../../api/body/body-limits.ts";
import { answerProblems } from "../../../api/middleware/answer-problems.ts";
import { readUpload } from "../../../api/middleware/read-upload.ts";
import { eventually } from "../../harness/eventually.ts";

const LIMIT = 2 ** 20;

/** Starts a server that responds with the size of the uploaded file. */
async function serve(t: ExecutionContext, within: number): Promise<{ url: string; server: Server }> {
  const app = new Koa();
  app.silent = true;
  app.use(answerProblems(pino({ level: "silent" }), () => {}));
  app.use(
    readUpload("imageFile", {
      limit: LIMIT,
      within,
      budget: createBodyBudget(bodyLimits.inWork),
      ownerOf: () => "t/a",
      countUpload: async () => {},
    }),
  );
  app.use((context) => {
    context.body = { bytes: context.state.upload.length };
  });
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

function formWith(...files: [field: string, bytes: number][]): FormData {
  const form = new FormData();
  for (const [field, bytes] of files) form.append(field, new Blob([new Uint8Array(bytes)]), "file");
  return form;
}
const send = (url: string, body: FormData) => fetch(url, { method: "POST", body });
const opening = '--b\r\nContent-Disposition: form-data; name="imageFile"; filename="a"\r\n\r\n';
const slowForm = { method: "POST", headers: { "content-type": "multipart/form-data; boundary=b" } };

test("a file up to the limit is accepted", async (t) => {
  const { url } = await serve(t, 60_000);
  t.deepEqual(await (await send(url, formWith(["imageFile", LIMIT]))).json(), { bytes: LIMIT });
});

test("a larger file returns 413", async (t) => {
  const { url } = await serve(t, 60_000);
  for (const bytes of [LIMIT + 1, 2 * LIMIT]) t.is((await send(url, formWith(["imageFile", bytes]))).status, 413);
});

test("a body of unknown length is refused as soon as it exceeds the limit", async (t) => {
  const { url } = await serve(t, 60_000);
  const call = request(url, slowForm);
  const answered = once(call, "response");
  call.write(opening);
  let sent = 0;
  let status = 0;
  answered.then(([answer]) => {
    status = answer.statusCode;
    answer.resume();
  });
  await eventually("the server responds", async () => {
    if (status === 0) call.write(Buffer.alloc(2 ** 16));
    sent += 2 ** 16;
    return status !== 0;
  });
  t.is(status, 413);
  t.true(sent < 40 * LIMIT);
  call.destroy();
});

test("a body that does not arrive returns 408 at the time limit, and its connection is closed", async (t) => {
  const { url, server } = await serve(t, 200);
  const call = request(url, slowForm);
  call.write(opening);
  const [answer] = await once(call, "response");
  t.is(answer.statusCode, 408);
  t.is(answer.headers.connection, "close");
  answer.resume();
  await once(answer, "close");
  await eventually("no connection is open", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    server.getConnections((_, count) => resolve(count));
    return (await promise) === 0;
  });
});

test("a caller that disconnects midway leaves nothing open", async (t) => {
  const { url, server } = await serve(t, 60_000);
  const call = request(url, slowForm).on("error", () => {});
  call.write(opening);
  await once(server, "request");
  call.destroy();
  await eventually("no connection is open", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    server.getConnections((_, count) => resolve(count));
    return (await promise) === 0;
  });
  t.deepEqual(await (await send(url, formWith(["imageFile", 3]))).json(), { bytes: 3 });
});
