import test from "ava";
import { isVoid, journalCollection } from "../../../records/requests/journal.ts";
import { freePort } from "../../../scripts/start/ports.ts";
import { type Supervised, supervise } from "../../../scripts/start/supervise.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE } from "../../harness/glass.ts";
import { JWT_SECRET, LABEL_SERVER_SECRET } from "../../harness/served.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";

/** Milliseconds from the call to the kill: from before the server reads the call until after it responds. */
const KILLED_AFTER_MS = [1, 10, 20, 40, 80, 160, 320];

let shelfwire: Shelfwire;
let web: { process: Supervised; base: string };
/** One token for all calls: a caller without a subject is identified by its token. */
let token: string;
test.before(async () => {
  shelfwire = await openShelfwire({ workers: ["item"] });
  token = await shelfwire.token();
  const port = await freePort();
  const { databases, base } = shelfwire;
  const environment = {
    PORT: String(port),
    REDIS_URL: databases.redis.url,
    MONGODB_URL: databases.mongoUrl,
    MONGODB_DATABASE: databases.database,
    JWT_SECRET,
    LABEL_SERVER_SECRET,
    RATE_LIMIT: "0",
    TENANT_RATE_LIMIT: "0",
    LOG_LEVEL: "silent",
  };
  const process = supervise({ name: "web", entry: "api/process.ts", environment, log: () => {} });
  web = { process, base: `http://127.0.0.1:${port}${new URL(base).pathname}` };
});
test.after.always(async () => {
  await web.process.stop();
  await shelfwire.close();
});

async function patch(base: string, key: string): Promise<{ status: number; requestId?: number }> {
  const answer = await fetch(`${base}/items`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify([{ itemId: key, price: "1.99" }]),
  });
  return { status: answer.status, ...((await answer.json()) as { requestId?: number }) };
}

const isUp = () => fetch(new URL("/readyz", web.base)).then(({ ok }) => ok);

test("a call repeated after its process was killed takes effect once, whenever the process was killed", async (t) => {
  for (const milliseconds of KILLED_AFTER_MS) {
    const key = `killed-after-${milliseconds}`;
    await eventually("the web process is up", isUp);
    // Opens the connections first, so that the kill interrupts the call and not the connection's setup.
    await patch(web.base, `warm-${milliseconds}`);
    const first = patch(web.base, key).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    web.process.kill();
    const before = await first;
    const repeated = await eventually("the repetition is accepted", async () => {
      const answer = await patch(shelfwire.base, key);
      return answer.status === 202 && answer;
    });
    if (before?.status === 202) t.is(repeated.requestId, before.requestId);
    const chunks = await journalCollection(shelfwire.system.db).find({ store: DEMO_STORE }).toArray();
    const own = chunks.filter((chunk) => chunk.rows.includes(`"${key}"`) && !isVoid(chunk));
    t.deepEqual(
      own.map(({ number }) => number),
      [repeated.requestId ?? 0],
      `killed after ${milliseconds} ms`,
    );
    t.log(`killed after ${milliseconds} ms: the first call was ${before === undefined ? "not answered" : "answered"}`);
  }
});
