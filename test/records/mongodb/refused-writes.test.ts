import { randomUUID } from "node:crypto";
import test from "ava";
import type { Document } from "mongodb";
import { openDatabase } from "../../../records/client.ts";
import { isUnavailable } from "../../../records/mongodb/unavailable.ts";
import { openDeliveries } from "../../../records/outbox/deliveries.ts";
import { openRecords } from "../../../records/records.ts";
import { createAcceptance } from "../../../records/requests/accept.ts";
import { openChildRequests } from "../../../records/requests/child-requests.ts";
import type { ChangeEvent } from "../../../schemas/events.ts";
import { type DatabaseProxy, openProxy } from "../../../scripts/develop/proxy/database-proxy.ts";
import { refusal } from "../../../scripts/develop/proxy/wire-protocol.ts";
import { counters, type OpenDatabase, openADatabase } from "../../harness/databases/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { PATIENT_MS } from "../../harness/patience.ts";

/** Batches of writes that a server refuses during a failover, or stores without a majority's confirmation. */
let database: OpenDatabase;
let proxy: DatabaseProxy;
let through: ReturnType<typeof openDatabase>;

test.before(async () => {
  database = await openADatabase();
  proxy = await openProxy(database.url);
  through = openDatabase(proxy.url, database.name, PATIENT_MS);
});
test.after.always(async () => {
  await through.close();
  await proxy.close();
  await database.close();
});

const unconfirmed = (code: number): Document => ({
  ok: 1,
  n: 1,
  nModified: 1,
  writeConcernError: { code, errmsg: "waiting for replication timed out" },
});
const answers: [string, Document][] = [
  ["refuses it with 10107", refusal(10_107, "NotWritablePrimary")],
  ["refuses it with 11602", refusal(11_602, "InterruptedDueToReplStateChange")],
  ["stores it without a majority, code 64", unconfirmed(64)],
  ["stores it without a majority, code 91", unconfirmed(91)],
];
const refuseNext = (name: string, collection: string, document: Document) =>
  proxy.answer({
    matches: (command) => command.name === name && command.collection === collection,
    document,
    times: 1,
  });

/** A request with one chunk is stored by the command that responds with its dates, and several chunks by an update. */
const isWrite = (name: string): boolean => name === "update" || name === "findAndModify";
const acceptance = () => createAcceptance(through.db, () => performance.now(), PATIENT_MS);
const request = (store: string) => ({ store: `t/demo/s/${store}`, operation: "bulk-links", rows: [{}], ordered: true });
const event = (id: string) => ({ id, type: "storeitemvalues.v1" }) as unknown as ChangeEvent;

for (const [index, [how, answer]] of answers.entries()) {
  test.serial(`if the server ${how}, a write of records does not count as lost`, async (t) => {
    const records = openRecords(through.db);
    const key = `t/demo/s/main/counters/${index}`;
    const write = () => ({ writeId: randomUUID(), at: new Date() });
    const body = { count: 1 };
    for (const name of ["insert", "update"]) {
      const current = (await records.read(counters, [key])).get(key);
      refuseNext(name, counters.name, answer);
      const error = await t.throwsAsync(records.compareAndSet(counters, [{ key, current, body }], write()));
      t.true(isUnavailable(error), error?.message);
      await records.compareAndSet(counters, [{ key, current, body }], write());
    }
  });

  test.serial(`if the server ${how}, an event does not count as already stored`, async (t) => {
    const deliveries = openDeliveries(through.db, () => new Date());
    refuseNext("insert", "delivery", answer);
    const kept = deliveries.keep([{ subscription: "s", event: event(how) }]);
    t.true(isUnavailable(await t.throwsAsync(kept)));
  });

  test.serial(`if the server ${how}, a child request does not count as already journaled`, async (t) => {
    const [parent] = await acceptance()(request(`parent-${index}`));
    const wanted = {
      parent: parent?._id ?? "",
      stamp: 1,
      stores: [`t/demo/s/child-${index}`],
      request: { operation: "store-links", rows: [{ itemIds: ["milk"] }], ordered: true },
      urgency: "bulk" as const,
    };
    // Matches by key, because updates of the journal also write the parent's list and make chunks of earlier tests void.
    const left = proxy.answer({
      matches: ({ name, names }) => isWrite(name) && names(`child-${index}/requests/`),
      document: answer,
      times: 1,
    });
    t.true(isUnavailable(await t.throwsAsync(openChildRequests(through.db)(wanted))));
    t.is(left(), 0);
  });

  test.serial(`if the server ${how}, a request is refused and nothing else fails`, async (t) => {
    const left = proxy.answer({
      matches: ({ name, names }) => isWrite(name) && names(`refused-${index}/requests/`),
      document: answer,
      // Refuses both the request and the first attempt to make it void.
      times: 2,
    });
    t.true(isUnavailable(await t.throwsAsync(acceptance()(request(`refused-${index}`)))));
    // The attempt to make the request void may be refused together with this call, which clears the connections of
    // both.
    const taken = await eventually("a request is accepted again", () =>
      acceptance()(request(`refused-${index}`)).catch((error: Error) => {
        if (!isUnavailable(error)) throw error;
        return undefined;
      }),
    );
    t.true((taken[0]?.number ?? 0) > 1);
    t.true(left() < 2);
  });
}
