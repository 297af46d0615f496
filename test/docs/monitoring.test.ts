import test from "ava";
import { storedMetrics, writeMetrics } from "../../scripts/develop/monitoring.ts";

test("docs/monitoring/metrics.md is what the table of metrics makes (npm run monitoring)", async (t) => {
  t.is(await storedMetrics(), writeMetrics());
});
