import { setImmediate } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { openDatabase } from "../../../records/client.ts";
import { isUnavailable } from "../../../records/mongodb/unavailable.ts";
import { openProxy } from "../../../scripts/develop/proxy/database-proxy.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownDatabase } from "../../harness/own.ts";

const own = ownDatabase();
const TIMEOUT_MS = 500;
/** More than fits in the buffers of a connection and of the proxy. */
const LARGE = "x".repeat(12 * 2 ** 20);

/** A client whose connections go through a proxy. */
async function openThroughProxy(t: ExecutionContext) {
  const proxy = await openProxy(own.url);
  const database = openDatabase(proxy.url, own.name, TIMEOUT_MS);
  t.teardown(async () => {
    await database.close();
    await proxy.close();
  });
  await eventually("the client is connected", async () => (await database.db.command({ ping: 1 })).ok === 1);
  return { proxy, db: database.db };
}

test("a command that is larger than the connection's buffers fails if the server stops reading", async (t) => {
  const { proxy, db } = await openThroughProxy(t);
  proxy.hold();
  const results: unknown[] = [];
  const note = (result: unknown) => results.push(result);
  void db.collection("large").insertOne({ text: LARGE }).then(note, note);
  await eventually("the command ends", async () => results.length > 0);
  t.true(isUnavailable(results[0]));
});

test("a command ends even if it starts after its connection broke and before the driver notices", async (t) => {
  const { proxy, db } = await openThroughProxy(t);
  for (let cut = 0; cut < 5; cut += 1) {
    let open = 0;
    const start = async () => {
      open += 1;
      await db.command({ ping: 1 }).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
      });
      open -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, start));
    const commands: Promise<void>[] = [];
    proxy.cut();
    // Such commands are written after the event loop has destroyed the socket, and before the connection notices.
    for (let turn = 0; turn < 200; turn += 1) {
      await setImmediate();
      commands.push(start());
    }
    proxy.restore();
    await eventually("all commands end", async () => open === 0);
    await Promise.all(commands);
  }
  t.pass();
});
