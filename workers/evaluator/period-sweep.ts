import type { Db } from "mongodb";
import { packIdOf } from "../../domain/packs/decide-design.ts";
import { createLatestEnd } from "../../domain/packs/pack-at.ts";
import { zonesOfTenant } from "../../queues/derivations/zones.ts";
import type { Walker } from "../../queues/walks/walk.ts";
import { communicationPacks } from "../../records/kinds/designs.ts";
import { tenants } from "../../records/kinds/tenants.ts";
import { walks } from "../../records/kinds/work.ts";
import type { Records } from "../../records/records.ts";
import { DATABASE_CLOCKS_APART_MS } from "../../schemas/clocks.ts";
import type { CommunicationPack } from "../../schemas/design.ts";
import { isCanaryCopy, tenantOf, walkKey } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";

interface Dependencies {
  db: Db;
  records: Records;
  walker: Pick<Walker, "begin">;
  /** By the database's clock, like the times of walks and choices. */
  now(): Date;
}

type PackWithEnds = Pick<Stored<CommunicationPack>, "_id" | "rev"> & Required<Pick<CommunicationPack, "periodEnds">>;

/** A condition on the values, because a sparse index does not serve `$exists`. */
const hasEnds = { periodEnds: { $gt: "" } };
/** Finds the packs with validity periods. */
export const packsWithEnds = { collection: communicationPacks.name, filter: hasEnds };

/**
 * Returns a function that starts a new evaluation of a tenant's links if a validity period of its active pack has begun or ended
 * in the time zone of one of its stores. It checks whether the tenant's last walk began before that moment. So it also finds a
 * moment that passed while no evaluator was running, or for which Redis lost the jobs (docs/rules.md#validity-periods).
 *
 * The walk begins only when the moment is in the past by every process's clock. Otherwise, a process whose clock is behind
 * might evaluate the links and find nothing changed.
 */
export function createPeriodSweep({ db, records, walker, now }: Dependencies): () => Promise<void> {
  const latestEnd = createLatestEnd();
  return async () => {
    for (const { _id, rev, periodEnds } of await readActivePacks(db, records)) {
      const tenant = tenantOf(_id);
      const time = now().getTime() - DATABASE_CLOCKS_APART_MS;
      const zones = await zonesOfTenant(db, tenant);
      const pack = { id: packIdOf({ _id, rev }), periodEnds };
      const passed = Math.max(0, ...zones.map((zone) => latestEnd(pack, zone, time)));
      const key = walkKey(tenant, "evaluator");
      const isBehind = ({ startedAt }: { startedAt: Date }) => startedAt.getTime() >= passed + DATABASE_CLOCKS_APART_MS;
      const walk = (await records.readFields(walks, [key], ["startedAt"])).get(key);
      if (passed === 0 || (walk && isBehind(walk))) continue;
      const reason = `${_id} has validity periods that begin or end at ${new Date(passed).toISOString()}`;
      await walker.begin(key, `${tenant}/`, { reason }, isBehind);
    }
  };
}

/** Reads the packs with validity periods that are active for their tenant or in a canary. */
async function readActivePacks(db: Db, records: Records): Promise<PackWithEnds[]> {
  const found = await db
    .collection<Stored<CommunicationPack>>(communicationPacks.name)
    .find(hasEnds, { projection: { rev: 1, periodEnds: 1 } })
    .toArray();
  if (found.length === 0) return [];
  const active = await records.readFields(
    tenants,
    found.map(({ _id }) => tenantOf(_id)),
    ["communicationPack"],
  );
  return (found as unknown as PackWithEnds[]).filter(
    ({ _id }) => active.get(tenantOf(_id))?.communicationPack === _id || isCanaryCopy(_id),
  );
}
