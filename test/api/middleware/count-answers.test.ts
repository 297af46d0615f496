import test from "ava";
import { countAnswers, httpRouteOf } from "../../../api/middleware/count-answers.ts";
import { partOf } from "../../harness/part-of.ts";

const STORE = "/t/:tenantId/s/:storeId/api/public/core/v1";

for (const [pattern, route] of [
  [`${STORE}/items/:itemId`, "items"],
  [`${STORE}/labels/link-single`, "labels"],
  [`${STORE}/labels-result/:requestId`, "results"],
  [`${STORE}/flash/items`, "flash"],
  ["/t/:tenantId/api/management/v1/stores/:storeId", "management"],
  ["/api/platform/v1/tenants", "platform"],
  ["/label-server/v1/reports", "label-server"],
  ["/t/:tenantId/api/public/auth/v1/login", "login"],
  ["/healthz", "probes"],
  ["/shelf", "other"],
  [undefined, "other"],
] as const)
  test(`responses of ${pattern} are counted as those of ${route}`, (t) => t.is(httpRouteOf(pattern), route));

for (const [method, counted] of [
  ["PATCH", "PATCH"],
  ["PROPFIND", "other"],
] as const)
  test(`a response to ${method} is counted with the method ${counted}, its route and its status class`, async (t) => {
    const counts: object[] = [];
    const count = (_name: string, labels: object) => void counts.push(labels);
    const context = { method, status: 202, _matchedRoute: `${STORE}/items` };
    await countAnswers({ count, observe: () => {} }, () => 0)(partOf(context), async () => {});
    t.deepEqual(counts, [{ method: counted, route: "items", status: "2xx" }]);
  });
