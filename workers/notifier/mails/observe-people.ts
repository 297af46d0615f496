import { notifications } from "../../../records/kinds/notifications.ts";
import type { Leases } from "../../../records/leases/leases.ts";
import { tenantOf } from "../../../schemas/keys.ts";
import type { Notification } from "../../../schemas/notification.ts";
import type { Stored } from "../../../schemas/record.ts";
import { type ObserveWorld, observeTenant } from "./observe-tenant.ts";

const LEASE = { name: "notifications", milliseconds: 120_000 };
/** People who are looked at together, tenant by tenant. */
const MAX_TOGETHER = 500;

/**
 * Returns a function that looks at what people watch, one round for all of them. One process does it at a time: two would not be wrong, but read
 * everything twice.
 */
export const createObservePeople = (world: ObserveWorld & { leases: Leases }) => async (): Promise<void> => {
  const { records, leases, databaseNow } = world;
  if (!(await leases.hold(LEASE.name, LEASE.milliseconds))) return;
  let group: Stored<Notification>[] = [];
  const look = async () => {
    const [first] = group;
    if (first !== undefined) await observeTenant(world, tenantOf(first._id), group);
    group = [];
  };
  for await (const batch of records.scan(notifications, "t/")) {
    for (const person of batch) {
      if (isForgotten(person, databaseNow())) {
        await records.remove(notifications, [{ key: person._id, rev: person.rev }]);
        continue;
      }
      const [first] = group;
      if (first && (tenantOf(first._id) !== tenantOf(person._id) || group.length >= MAX_TOGETHER)) await look();
      if (person.chosen.length > 0 || person.open.length > 0 || person.collected.length > 0) group.push(person);
    }
    await leases.hold(LEASE.name, LEASE.milliseconds);
  }
  await look();
};

/** A person of the identity provider who has chosen nothing, and whose rights have ended. */
const isForgotten = ({ login, chosen, mails }: Notification, now: Date): boolean =>
  login !== undefined && login.until <= now && chosen.length === 0 && mails.length === 0;
