import { type ChainFault, verifyChain } from "../../../../domain/activity/chain.ts";
import { type ActivityLog, openActivityLog } from "../../../../records/activity/activity-log.ts";
import { keysUnder, storeIds, tenantKey } from "../../../../schemas/keys.ts";
import { assertTenant } from "../assert-tenant.ts";
import { command } from "../command.ts";

/** The log of a store, or of the tenant itself, with its faults. */
interface VerifiedLog {
  /** Absent for the tenant's own log. */
  storeId?: string;
  checked: number;
  /** The last entry. If it is also kept outside the database, it can prove later that the log was not rewritten. */
  place: number;
  hash: string;
  faults: readonly ChainFault[];
}

export const activityVerifyCommand = command({
  name: "activity verify",
  arguments: [],
  means: "check that no entry of the activity log was removed or changed, and list those that were",
  options: { tenant: { takes: "TENANT", initial: "demo", means: "tenant whose logs to check" } },
  isWithoutRedis: true,
  async run({ options: { tenant }, open }) {
    const system = await open();
    await assertTenant(system.records, tenant);
    const logs = await verifyTenant(openActivityLog(system.db), tenantKey(tenant));
    const lines = logs.flatMap(linesOf);
    return {
      lines: lines.length > 0 ? lines : [`The tenant "${tenant}" has no activity yet.`],
      data: { logs },
      hasFailed: logs.some(({ faults }) => faults.length > 0),
    };
  },
});

/** Verifies the log chains of a tenant and of its stores. */
export async function verifyTenant(
  activityLog: Pick<ActivityLog, "scanEnds" | "scan">,
  tenant: string,
): Promise<VerifiedLog[]> {
  const logs: VerifiedLog[] = [];
  for await (const ends of activityLog.scanEnds(keysUnder(`${tenant}/`)))
    for (const end of ends) {
      const begin = end.expired ?? { place: 0, hash: "" };
      const { checked, faults } = await verifyChain({ begin, end }, activityLog.scan(end.owner));
      const { place, hash, owner } = end;
      logs.push({ ...(owner !== tenant && { storeId: storeIds(owner).storeId }), checked, place, hash, faults });
    }
  return logs;
}

function linesOf({ storeId, checked, place, hash, faults }: VerifiedLog): string[] {
  const whose = storeId === undefined ? "The tenant's own log" : `The log of store ${storeId}`;
  if (faults.length === 0)
    return [`${whose}: ${checked} entries are intact, the last is ${place} with the hash ${hash}.`];
  return faults.map(({ place: from, through, is }) =>
    from === through ? `${whose}: entry ${from} was ${is}.` : `${whose}: entries ${from} to ${through} were ${is}.`,
  );
}
