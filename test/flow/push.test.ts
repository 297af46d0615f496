import test from "ava";
import { freePort } from "../../scripts/start/ports.ts";
import { bodyOf, writeItems, writeLabels } from "../api/calls.ts";
import { manage } from "../api/management/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { labelFor, untilOk } from "../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../harness/shelfwire.ts";

const SECRET = `whsec_${Buffer.from("0123456789abcdefghijklmn").toString("base64")}`;
let shelfwire: Shelfwire;
let port: number;
test.before(async () => {
  port = await freePort();
  const settings = { WEBHOOKS_PRIVATE: "127.0.0.0/8:*", PUSH_PORT: String(port), PUSH_SECRET: SECRET };
  shelfwire = await openShelfwire({ settings });
});
test.after.always(() => shelfwire.close());

interface Answer {
  subscriptionId: string;
  waiting: number;
  dead: number;
  lastFailure: string | null;
}

async function pushTo(topic: string, secret = SECRET): Promise<() => Promise<Answer>> {
  const order = {
    topics: ["designerlink.v1"],
    url: `http://127.0.0.1:${port}/push/${topic}`,
    secret,
    eventsACall: 100,
  };
  const { subscriptionId } = (await (await manage(shelfwire, "POST", "/subscriptions", order)).json()) as Answer;
  return async () => bodyOf(await manage(shelfwire, "GET", `/subscriptions/${subscriptionId}`));
}

test.serial("a subscription pushes changes to the renderer, which handles them like those in its queue", async (t) => {
  const own = await pushTo("designerlink.v1");
  const wrong = await pushTo("designerlink.v1", `whsec_${"A".repeat(32)}`);
  const barcode = labelFor("pushed");
  let price = 0;
  await eventually("the workers know the subscriptions", async () => {
    price += 1;
    await writeItems(shelfwire, [{ itemId: `pushed ${price}`, price: "1.00" }]);
    await writeLabels(shelfwire, [{ barcode, links: [{ itemId: `pushed ${price}` }] }]);
    return (await wrong()).lastFailure === "the receiver answered 401";
  });
  await eventually("all changes were accepted", async () => (await own()).waiting === 0);
  t.like(await own(), { dead: 0, lastFailure: null });
  await untilOk(shelfwire, barcode);
});
