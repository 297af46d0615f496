import test from "ava";
import { createSubscriptionMatcher, matchesKey } from "../../../queues/publish/subscription-matcher.ts";
import { subscriptions } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import { itemKey, storeKey, subscriptionKey, tenantKey } from "../../../schemas/keys.ts";
import type { Subscription } from "../../../schemas/subscription.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const [DEMO, OTHER] = [tenantKey("demo"), tenantKey("other")];

async function subscribe(tenant: string, id: string, fields: Partial<Subscription> = {}): Promise<string> {
  const key = subscriptionKey(tenant, id);
  const body: Subscription = {
    topics: ["storeitemvalues.v1"],
    url: "https://shop.example/events",
    secret: `whsec_${"A".repeat(32)}`,
    createdAt: new Date(0),
    ...fields,
  };
  await own.system.commit.change(subscriptions, [key], () => body, "bulk");
  return key;
}

function matcherScene() {
  const set = { now: 0, isRefused: false };
  let scans = 0;
  const { records } = own.system;
  const scan: Records["scan"] = (...given) => {
    scans += 1;
    if (set.isRefused) throw new Error("MongoDB is unreachable");
    return records.scan(...given);
  };
  const matcher = createSubscriptionMatcher({ ...records, scan }, () => set.now);
  const keysOf = async (topic: "storeitemvalues.v1" | "link.v2", tenant: string) =>
    ((await matcher.byTenant(topic)).get(tenant) ?? []).map(({ _id }) => _id);
  return { set, keysOf, scans: () => scans };
}

test.beforeEach(() => own.system.db.collection(subscriptions.name).deleteMany({}));

test.serial("a tenant's subscriptions to a topic are those that name it or a topic derived from it", async (t) => {
  const item = await subscribe(DEMO, "item");
  const old = await subscribe(DEMO, "old", { topics: ["dtoflow-changes-link.v1"] });
  const theirs = await subscribe(OTHER, "theirs");
  const { keysOf } = matcherScene();
  t.deepEqual(await keysOf("storeitemvalues.v1", DEMO), [item]);
  t.deepEqual(await keysOf("storeitemvalues.v1", OTHER), [theirs]);
  t.deepEqual(await keysOf("link.v2", DEMO), [old]);
});

test.serial("a subscription matches if one of its topics does", async (t) => {
  const both = await subscribe(DEMO, "both", { topics: ["storeitemvalues.v1", "link.v2"] });
  const { keysOf } = matcherScene();
  t.deepEqual(await keysOf("link.v2", DEMO), [both]);
});

test.serial("a stopped subscription matches nothing", async (t) => {
  await subscribe(DEMO, "stopped", { stopped: "the receiver answered 410" });
  t.deepEqual(await matcherScene().keysOf("storeitemvalues.v1", DEMO), []);
});

test.serial(
  "subscriptions are read at most once in two seconds, so a new subscription is found after that",
  async (t) => {
    const { set, keysOf, scans } = matcherScene();
    t.deepEqual(await keysOf("storeitemvalues.v1", DEMO), []);
    const made = await subscribe(DEMO, "made");
    set.now = 1_999;
    t.deepEqual(await keysOf("storeitemvalues.v1", DEMO), []);
    t.is(scans(), 1);
    set.now = 2_000;
    t.deepEqual(await keysOf("storeitemvalues.v1", DEMO), [made]);
    t.is(scans(), 2);
  },
);

test.serial("a failed read is repeated at the next call", async (t) => {
  const { set, keysOf } = matcherScene();
  const made = await subscribe(DEMO, "made");
  set.isRefused = true;
  await t.throwsAsync(keysOf("storeitemvalues.v1", DEMO), { message: "MongoDB is unreachable" });
  set.isRefused = false;
  t.deepEqual(await keysOf("storeitemvalues.v1", DEMO), [made]);
});

test("a subscription covers all keys of its tenant, or only its stores' keys if it names any", (t) => {
  const of = (stores?: string[]) => ({ _id: subscriptionKey(DEMO, "any"), ...(stores && { stores }) });
  const [main, side] = [itemKey(storeKey("demo", "main"), "milk"), itemKey(storeKey("demo", "side"), "milk")];
  t.deepEqual(
    [main, side].map((key) => matchesKey(of(), key)),
    [true, true],
  );
  t.deepEqual(
    [main, side].map((key) => matchesKey(of(["main"]), key)),
    [true, false],
  );
  t.true(matchesKey(of(["main"]), `${DEMO}/designs/offer`), "the tenant's own records");
  t.false(matchesKey(of(), itemKey(storeKey("other", "main"), "milk")));
  t.false(matchesKey(of(["main"]), itemKey(storeKey("other", "main"), "milk")));
});
