import test from "ava";
import { createWalker } from "../../../queues/walks/walk.ts";
import { communicationPacks } from "../../../records/kinds/designs.ts";
import { stores, tenants } from "../../../records/kinds/tenants.ts";
import { walks } from "../../../records/kinds/work.ts";
import { DATABASE_CLOCKS_APART_MS } from "../../../schemas/clocks.ts";
import { communicationPackKey, storeKey, tenantKey, walkKey } from "../../../schemas/keys.ts";
import { createPeriodSweep } from "../../../workers/evaluator/period-sweep.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const tenant = tenantKey("dated");
const active = communicationPackKey(tenant, "active");
const key = walkKey(tenant, "evaluator");
const midnight = new Date("2026-12-24T00:00:00Z");
const store = { name: "A", currency: "EUR", locale: "hr-HR", linkDepartments: [] };

test.serial(
  "a tenant's links are evaluated once for each validity period that begins or ends in one of its stores, even if the sweep is late",
  async (t) => {
    const { records, commit, db } = own.system;
    let now = new Date("2026-12-20T12:00:00Z");
    const walker = createWalker({ ...own.system, queue: "evaluator", stages: [], now: () => now });
    const sweep = createPeriodSweep({ db, records, walker, now: () => now });
    const at = async (time: string) => {
      now = new Date(time);
      await sweep();
      return (await records.read(walks, [key])).get(key)?.epoch ?? 0;
    };
    const pack = { name: "Dated", scenarios: [] };
    await commit.change(
      communicationPacks,
      [communicationPackKey(tenant, "inactive")],
      () => ({ ...pack, periodEnds: ["2026-12-01"] }),
      "bulk",
    );
    await commit.change(tenants, [tenant], () => ({ name: "Dated", communicationPack: active }), "bulk");
    for (const [id, timeZone] of [
      ["zagreb", "Europe/Zagreb"],
      ["lisbon", "Europe/Lisbon"],
    ] as const)
      await commit.change(stores, [storeKey("dated", id)], () => ({ ...store, timeZone }), "bulk");
    await commit.change(communicationPacks, [active], () => pack, "bulk");
    t.is(await at("2026-12-20T12:00:00Z"), 0, "a pack without periods and an inactive pack trigger no evaluation");

    const periodEnds = ["2026-12-24", "2026-12-24T06:00Z", "2026-12-27"];
    await commit.change(communicationPacks, [active], () => ({ ...pack, periodEnds }), "bulk");
    t.is(await at("2026-12-23T23:00:04.999Z"), 0);
    t.is(await at("2026-12-23T23:00:05Z"), 1, "midnight in Zagreb");
    t.like((await records.read(walks, [key])).get(key), {
      reason: `${active} has validity periods that begin or end at 2026-12-23T23:00:00.000Z`,
      scope: `${tenant}/`,
    });
    t.is(await at("2026-12-23T23:30:00Z"), 1);
    t.is(await at("2026-12-24T00:00:05Z"), 2, "midnight in Lisbon");
    await walker.begin(key, `${tenant}/`, { reason: "something else" });
    t.is(await at("2026-12-24T06:00:04Z"), 3);
    // No evaluator ran for two days.
    t.is(await at("2026-12-26T23:30:00Z"), 4);
    t.is(await at("2026-12-27T00:00:05Z"), 5);
    t.is(await at("2027-02-01T00:00:00Z"), 5);
  },
);

test.serial(
  "a walk counts for a validity period only if the period had begun or ended by the slowest clock when the walk began",
  async (t) => {
    const { records, commit, db } = own.system;
    const slow = tenantKey("slow");
    const pack = communicationPackKey(slow, "active");
    const walk = walkKey(slow, "evaluator");
    let now = midnight;
    const walker = createWalker({ ...own.system, queue: "evaluator", stages: [], now: () => now });
    const sweep = createPeriodSweep({ db, records, walker, now: () => now });
    const periodEnds = [midnight.toISOString()];
    await commit.change(communicationPacks, [pack], () => ({ name: "Dated", scenarios: [], periodEnds }), "bulk");
    await commit.change(tenants, [slow], () => ({ name: "Slow", communicationPack: pack }), "bulk");
    await commit.change(stores, [storeKey("slow", "zagreb")], () => ({ ...store, timeZone: "Europe/Zagreb" }), "bulk");

    // Walks of this process, whose clock is fast, are evaluated by a process whose clock may be slow.
    const begun: Date[] = [];
    for (let ms = 0; ms <= 2 * DATABASE_CLOCKS_APART_MS; ms += DATABASE_CLOCKS_APART_MS / 10) {
      now = new Date(midnight.getTime() + ms);
      if (ms === DATABASE_CLOCKS_APART_MS / 2) await walker.begin(walk, `${slow}/`, { reason: "the pack was stored" });
      await sweep();
      const startedAt = (await records.read(walks, [walk])).get(walk)?.startedAt;
      if (startedAt && startedAt.getTime() !== begun.at(-1)?.getTime()) begun.push(startedAt);
    }
    const slowClock = (at: Date) => at.getTime() - DATABASE_CLOCKS_APART_MS;
    t.deepEqual(
      begun.map((at) => slowClock(at) >= midnight.getTime()),
      [false, true],
      "the walk that was begun too early for another reason, and the walk for the period",
    );
  },
);
