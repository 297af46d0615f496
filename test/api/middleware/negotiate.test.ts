import test from "ava";
import { admits } from "../../../api/middleware/negotiate.ts";

for (const [accept, isAdmitted] of [
  ["application/json", true],
  ["Application/JSON", true],
  ["application/json; charset=UTF-8", true],
  ["application/json;version=1", true],
  ["application/*", true],
  ["*/*", true],
  ["text/html, application/xhtml+xml, */*;q=0.8", true],
  ["application/json;q=0.1", true],
  ["text/html;q=0, application/json", true],
  ["*/*;q=0, application/json", true],
  ["text/html", false],
  ["application/xml", false],
  ["application/json;q=0", false],
  ["application/json; q=0.000", false],
  ["*/*, application/json;q=0", false],
  ["application/*;q=0, */*", false],
  ["json", false],
  ["application/jsonp", false],
] as const) {
  test(`Accept: ${accept} ${isAdmitted ? "admits" : "does not admit"} JSON`, (t) => {
    t.is(admits(accept, "application/json"), isAdmitted);
  });
}
