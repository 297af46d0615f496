import { setTimeout } from "node:timers/promises";
import type { ExecutionContext } from "ava";
import type { System } from "../../../queues/system.ts";
import { subscriptions } from "../../../records/kinds/tenants.ts";
import type { ChangeEvent } from "../../../schemas/events.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { openReceiver } from "../../workers/notifier/receiver.ts";

/** Longer than a closing process waits for a running job. */
const CALL_MS = 3000;
const SECRET = `whsec_${Buffer.from("0123456789abcdefghijklmn").toString("base64")}`;

/** Subscribes a receiver to links; the receiver responds slowly until `beQuick` is called. */
export async function subscribeSlowly(t: ExecutionContext, { commit }: Pick<System, "commit">) {
  let answered = 0;
  let isSlow = true;
  const receiver = await openReceiver(async () => {
    await setTimeout(isSlow ? CALL_MS : 0);
    answered += 1;
    return 204;
  });
  t.teardown(receiver.close);
  const order = { topics: ["link.v2" as const], url: receiver.url, secret: SECRET, createdAt: new Date() };
  const key = `${tenantKey(TENANT_ID)}/subscriptions/sigterm`;
  await commit.change(subscriptions, [key], () => order, "bulk");
  return {
    beQuick() {
      isSlow = false;
    },
    underWay: () => receiver.calls.length - answered,
    notifiedLinks(): Set<string> {
      const events: ChangeEvent[] = receiver.calls.flatMap(({ body }) => JSON.parse(body));
      return new Set(events.map(({ subject }) => subject));
    },
  };
}
