import test from "ava";
import type { Described } from "../../../scripts/develop/conform/brief/described.ts";
import { faultsOfProgram, type OrderedCall, orderedCalls } from "../../../scripts/develop/conform/clients/order.ts";

const calls: OrderedCall[] = Array.from({ length: 20 }, (_, index) => ({
  operationId: `operation${index}`,
  tag: "Items",
  method: "get",
  path: "/",
  parameters: {},
  bad: { parameters: {} },
}));
const printed = calls
  .flatMap(({ operationId }) => [
    `${operationId} good 200`,
    `${operationId} bad 400 /problems/invalid-request /path/itemId`,
    `${operationId} denied 401 /problems/invalid-token`,
  ])
  .join("\n");

test("an operation whose response never ends is left out of the order of calls", (t) => {
  const operation = (operationId: string, type: string) => ({
    get: { operationId, tags: ["Labels"], parameters: [], responses: { 200: { content: { [type]: {} } } } },
  });
  const paths = { "/tail": operation("tail", "text/event-stream"), "/list": operation("list", "application/json") };
  t.deepEqual(
    orderedCalls({ paths } as unknown as Described, {}).map(({ operationId }) => operationId),
    ["list"],
  );
});

test("a client program is faulty if a call is refused, an error response is lost, or too few calls succeed or are refused", (t) => {
  t.deepEqual(faultsOfProgram(calls, printed), []);
  const faultOf = (line: string, instead: string) => faultsOfProgram(calls, printed.replace(line, instead)).join();
  t.regex(faultOf("operation7 good 200", "operation7 good 400"), /operation7: 400 .* to a call that is good/);
  t.regex(faultOf("operation7 good 200", ""), /operation7: no response .* to a call that is good/);
  t.regex(faultOf("operation7 good 200", "operation7 good 404"), /only 19 operations succeeded/);
  t.regex(faultOf("operation7 denied 401 /problems/invalid-token", "operation7 denied 401"), /operation7: 401 ""/);
  const bad = "operation7 bad 400 /problems/invalid-request /path/itemId";
  t.is(faultOf(bad, "operation7 bad 404 /problems/not-found"), "");
  for (const lost of ["operation7 bad 400", "operation7 bad 400 /problems/invalid-request", "operation7 bad 202"])
    t.regex(faultOf(bad, lost), /operation7: .* that the operation refuses.*only 19 operations rejected/);
});
