import test from "ava";
import { faultsOfProgram, type OrderedCall } from "../../../scripts/develop/conform/clients/order.ts";
import { runClients } from "../../../scripts/develop/conform/clients/run-clients.ts";
import { seedExamples } from "../../../scripts/develop/conform/seed-examples.ts";
import { openShelfwire } from "../../harness/shelfwire.ts";

test("a client that openapi-python-client makes calls every operation, and keeps its error answers", async (t) => {
  t.timeout(600_000);
  const shelfwire = await openShelfwire();
  t.teardown(() => shelfwire.close());
  const { origin, client } = shelfwire;
  const logged: string[] = [];
  const { failed, skipped } = await runClients({
    origin,
    token: await shelfwire.token(),
    known: await seedExamples(origin, client),
    only: ["openapi-python-client"],
    withManagement: false,
    log: (line) => void logged.push(line),
  });
  t.deepEqual({ failed, skipped }, { failed: [], skipped: [] }, logged.join("\n"));
  t.regex(logged.join("\n"), /^openapi-python-client: compiles, 4\d operations called$/);
});

const calls: OrderedCall[] = Array.from({ length: 20 }, (_, index) => ({
  operationId: `operation${index}`,
  tag: "Items",
  method: "get",
  path: "/",
  parameters: {},
}));
const good = calls.map(({ operationId }) => `${operationId} good 200`);
const bad = calls.map(({ operationId }) => `${operationId} bad 401 /problems/invalid-token`);

test("a program is faulty where a call is refused, an error answer is lost, or too few succeed", (t) => {
  t.deepEqual(faultsOfProgram(calls, [...good, ...bad].join("\n")), []);
  const faultOf = (line: string, instead: string) =>
    faultsOfProgram(calls, [...good, ...bad].join("\n").replace(line, instead)).join();
  t.regex(faultOf("operation7 good 200", "operation7 good 400"), /operation7: 400 to a good call/);
  t.regex(faultOf("operation7 good 200", ""), /operation7: no answer to a good call/);
  t.regex(faultOf("operation7 good 200", "operation7 good 404"), /only 19 operations succeeded/);
  t.regex(faultOf("operation7 bad 401 /problems/invalid-token", "operation7 bad 401 "), /operation7: 401 "" to a call/);
});
