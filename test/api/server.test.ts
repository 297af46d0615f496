import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import test, { type ExecutionContext } from "ava";
import Koa from "koa";
import { pino } from "pino";
import { createBodyBudget } from "../../api/body/body-budget.ts";
import { bodyLimits } from "../../api/body/body-limits.ts";
import { answerProblems } from "../../api/middleware/answer-problems.ts";
import { readJson } from "../../api/middleware/read-json.ts";
import { openServer, type ServerLimits, serverLimits } from "../../api/server.ts";
import { eventually } from "../harness/eventually.ts";

const patient: ServerLimits = {
  ...{ headers: 60_000, request: 60_000, idle: 60_000, keepAlive: 60_000, drain: 60_000 },
  checkInterval: 100,
};

/** Starts a server that reads JSON of at most 1 MiB and counts the bytes that arrive over its connections. */
function serve(t: ExecutionContext, times: Partial<ServerLimits>) {
  const app = new Koa();
  app.silent = true;
  app.use(answerProblems(pino({ level: "silent" }), () => {}));
  for (const middleware of readJson(2 ** 20, createBodyBudget(bodyLimits.inWork), () => "t/a")) app.use(middleware);
  app.use((context) => {
    context.body = { read: context.request.body ?? null };
  });
  const server = openServer(app.callback(), { ...patient, ...times }).listen(0);
  const sockets: { bytesRead: number }[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, bytesRead: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0) };
}

/** Opens a raw TCP connection. */
function open(port: number) {
  const socket = connect(port, "127.0.0.1");
  const state = { text: "", isOver: false };
  socket.on("data", (data) => {
    state.text += data.toString();
  });
  socket.on("error", () => {
    state.isOver = true;
  });
  socket.on("close", () => {
    state.isOver = true;
  });
  return { socket, state, isOver: async () => state.isOver };
}

const head = (...headers: string[]) =>
  `PATCH / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers.join("\r\n")}\r\n\r\n`;

test("the server does not wait for headers that never end", async (t) => {
  const { port } = serve(t, { headers: 200 });
  const { socket, state, isOver } = open(port);
  socket.write("PATCH / HTTP/1.1\r\nHost: a\r\n");
  await eventually("the connection is closed", isOver);
  t.regex(state.text, /^HTTP\/1\.1 408 /);
});

test("the server does not wait for a body that never ends", async (t) => {
  const { port } = serve(t, { headers: 200, request: 300 });
  const { socket, state, isOver } = open(port);
  socket.write(`${head("Content-Length: 100")}{"a": `);
  await eventually("the connection is closed", isOver);
  t.notRegex(state.text, /^HTTP\/1\.1 2/);
});

test("an idle connection is closed", async (t) => {
  const { port } = serve(t, { idle: 200 });
  const { socket, isOver } = open(port);
  socket.write(head("Content-Length: 100"));
  t.true(await eventually("the connection is closed", isOver));
});

for (const length of [2 ** 20 + 1, 2 ** 32, 2 ** 32 + 10, Number.MAX_SAFE_INTEGER]) {
  test(`a body that announces ${length} bytes returns 413 before it is sent`, async (t) => {
    const { port } = serve(t, {});
    const { socket, state } = open(port);
    t.teardown(() => socket.destroy());
    socket.write(head(`Content-Length: ${length}`));
    await eventually("an answer", async () => state.text.includes("body-too-large"));
    t.regex(state.text, /^HTTP\/1\.1 413 /);
  });
}

test("the server reads no more of an oversized body than it needs to refuse it", async (t) => {
  const { port, bytesRead } = serve(t, { drain: 100 });
  const { socket, state, isOver } = open(port);
  const part = Buffer.alloc(2 ** 16, " ");
  const chunk = Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]);
  socket.write(head("Transfer-Encoding: chunked"));
  const feeding = setInterval(() => socket.writable && socket.write(chunk), 5);
  t.teardown(() => clearInterval(feeding));
  await eventually("the connection is closed", isOver);
  t.regex(state.text, /^HTTP\/1\.1 413 /);
  t.true(bytesRead() < 64 * 2 ** 20);
});

test("a caller that sends a refused body to its end receives the refusal and may reuse the connection", async (t) => {
  const { port } = serve(t, {});
  const { socket, state } = open(port);
  t.teardown(() => socket.destroy());
  const body = Buffer.alloc(4 * 2 ** 20, " ");
  socket.write(head(`Content-Length: ${body.length}`));
  socket.write(body);
  await eventually("the refusal", async () => state.text.includes("body-too-large"));
  socket.write(`${head("Content-Length: 2")}{}`);
  t.true(await eventually("the next response", async () => state.text.includes('{"read":{}}')));
});

test("a caller that sends Expect: 100-continue receives 100", async (t) => {
  const { port } = serve(t, {});
  const { socket, state } = open(port);
  t.teardown(() => socket.destroy());
  socket.write(head("Content-Length: 8", "Expect: 100-continue"));
  await eventually("the permission to continue", async () => state.text.includes("100 Continue"));
  socket.write('{"a": 1}');
  t.true(await eventually("the answer", async () => state.text.includes('{"read":{"a":1}}')));
});

for (const [what, text] of [
  ["two different lengths", head("Content-Length: 5", "Content-Length: 6")],
  ["a length and chunks", head("Content-Length: 5", "Transfer-Encoding: chunked")],
  ["invalid chunks", `${head("Transfer-Encoding: chunked")}zz\r\n`],
  ["a header without a name", head(": value")],
  ["a header with a line break", head("A: b\r\n c: d")],
  ["headers of 300 kB", head(`A: ${"x".repeat(300_000)}`)],
] as const) {
  test(`a request with ${what} is refused and its connection is closed`, async (t) => {
    const { port } = serve(t, {});
    const { socket, state, isOver } = open(port);
    socket.write(text);
    await eventually("the connection is closed", isOver);
    t.regex(state.text, /^HTTP\/1\.1 4(00|31) /);
  });
}

test("an idle connection outlives a load balancer's, and responses say how long it stays open", async (t) => {
  const { port } = serve(t, serverLimits);
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  const seconds = Number(/timeout=(\d+)/.exec(answer.headers.get("keep-alive") ?? "")?.[1]);
  t.true(seconds > 90 && seconds * 1000 < serverLimits.idle, `${seconds} s`);
});
