import test from "ava";
import { openLabelServerHealth } from "../../../queues/publish/label-server-health.ts";
import { labelServerKey } from "../../../schemas/keys.ts";
import { createReadStates } from "../../../workers/notifier/mails/read-states.ts";
import { lastingRedis } from "../../harness/databases/lasting-redis.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const since = new Date(Date.UTC(2026, 2, 2, 8));
const later = (minutes: number) => new Date(since.getTime() + minutes * 60_000);

test("a department's unreachable label server is known, even if nothing is known about the store's own", async (t) => {
  const cellar = labelServerKey("t/demo", "cellar");
  await openLabelServerHealth(lastingRedis(own.system.redis).redis).noteTrouble("away", cellar, since);
  const { labelServers } = createReadStates(own.system);
  const store = { tenantId: "demo", storeId: "main", labelServers: [undefined, "cellar"] };
  t.deepEqual(await labelServers(store, later(10)), {
    states: [{ id: "server main cellar", store: "main", kind: "LABEL_SERVER", trouble: "AWAY", since }],
    unknown: ["server main"],
  });
  t.deepEqual(
    await labelServers(store, later(1)),
    { states: [], unknown: ["server main", "server main cellar"] },
    "a short outage does not count yet",
  );
});
