import test from "ava";
import { logCalmly } from "../../queues/redis.ts";
import { withCauses } from "../../runtime/causes.ts";
import { connectionNameOf, namesOf, openLog } from "../../runtime/log.ts";

function openCaptured() {
  const lines: Record<string, unknown>[] = [];
  const log = openLog("web", "debug", { write: (line) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}

const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

test("a log line of a call names its X-Request-Id, its request and its trace", (t) => {
  const { log, lines } = openCaptured();
  withCauses([{ call: "till-7", request: 12, trace: TRACE }], () => log.info("here"));
  t.like(lines[0], {
    xRequestId: "till-7",
    requestId: 12,
    traceId: "0af7651916cd43dd8448eb211c80319c",
    process: "web",
  });
});

test("databases list a process's connections under its name in the log", (t) => {
  t.is(connectionNameOf(openCaptured().log), "shelfwire-web");
  t.is(connectionNameOf({ bindings: () => ({}) }), "shelfwire");
});

test("a log line of a batch names five of its requests and the number of others", (t) => {
  const causes = Array.from({ length: 40 }, (_, request) => ({ request, call: `call-${request}` }));
  t.deepEqual(namesOf(causes), {
    requestId: [0, 1, 2, 3, 4],
    xRequestId: ["call-0", "call-1", "call-2", "call-3", "call-4"],
    moreRequests: 35,
  });
  t.deepEqual(namesOf([]), {});
});

test("unknown parts of a cause are omitted, and at most five causes are named", (t) => {
  t.deepEqual(namesOf([{ request: 1 }]), { requestId: 1 });
  t.deepEqual(namesOf([{ call: "a" }, { trace: TRACE }]), { xRequestId: "a", traceId: TRACE.slice(3, 35) });
  const five = Array.from({ length: 5 }, (_, request) => ({ request }));
  t.deepEqual(namesOf(five), { requestId: [0, 1, 2, 3, 4] });
});

test("an error's code is logged if it is a string or a number", (t) => {
  const { log, lines } = openCaptured();
  for (const code of ["ECONNRESET", 91, { document: "secret" }, undefined])
    log.error({ error: Object.assign(new Error("it failed"), code === undefined ? {} : { code }) });
  log.error({ error: "no error at all" });
  t.deepEqual(
    lines.slice(0, 4).map(({ error }) => (error as { code?: unknown }).code),
    ["ECONNRESET", 91, undefined, undefined],
  );
  t.is(lines[4]?.error, "no error at all");
});

test("a log line about a connection names no call, whichever call received the error", (t) => {
  const { log, lines } = openCaptured();
  withCauses([{ call: "till-7" }], () => logCalmly(log, () => 2_000)("redis")(new Error("away")));
  t.is(lines[0]?.xRequestId, undefined);
  t.is(lines[0]?.error, "away");
});

test("an error is logged with its message and stack, but without details that libraries attach, such as documents and addresses", (t) => {
  const { log, lines } = openCaptured();
  const error = Object.assign(new TypeError("it failed"), {
    code: 11_000,
    writeErrors: [{ op: { price: "1.99" } }],
    input: "redis://:password@host",
  });
  log.error({ error }, "a key could not be processed");
  const { stack, ...logged } = (lines[0]?.error ?? {}) as Record<string, unknown>;
  t.deepEqual(logged, { type: "TypeError", message: "it failed", code: 11_000 });
  t.regex(String(stack), /log\.test\.ts/);
});
