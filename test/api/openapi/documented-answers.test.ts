import test from "ava";
import { undocumented } from "../../harness/documented-answers.ts";

// This check compares every call of the contract tests with the document (`call` of test/harness/served.ts).
test("a response with an undocumented status or problem is detected", (t) => {
  t.is(undocumented("GET", "/items/4711", 404, "/problems/not-found"), undefined);
  t.is(undocumented("PATCH", "/items", 202, ""), undefined);
  t.regex(undocumented("PATCH", "/items", 201, "") ?? "", /PATCH \/items: the document has no 201/);
  t.regex(undocumented("GET", "/items", 404, "/problems/not-found") ?? "", /no 404 \/problems\/not-found/);
  t.regex(undocumented("GET", "/labels/summary", 404, "/problems/not-found") ?? "", /no 404/);
  t.is(undocumented("PUT", "/items", 405, "/problems/method-not-allowed"), undefined, "PUT /items is not an operation");
});
