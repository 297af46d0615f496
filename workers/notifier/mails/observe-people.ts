import { notifications } from "../../../records/kinds/notifications.ts";
import type { Leases } from "../../../records/leases/leases.ts";
import { tenantOf } from "../../../schemas/keys.ts";
import type { Notification } from "../../../schemas/notification.ts";
import type { Stored } from "../../../schemas/record.ts";
import { type ObserveWorld, observeTenant, type Round } from "./observe-tenant.ts";

const LEASE = { name: "notifications", milliseconds: 120_000 };
const RENEW_MS = LEASE.milliseconds / 4;
/** Maximum number of people who are checked together, tenant by tenant. */
const MAX_TOGETHER = 500;

/**
 * Returns a function that checks what people watch, in one round for all of them. One process does this at a time: two processes
 * would do no harm, but would read everything twice. A long round renews its lease, and ends if another process has taken the
 * lease.
 */
export const createObservePeople =
  (world: ObserveWorld & { leases: Leases }, maxTogether = MAX_TOGETHER) =>
  async (): Promise<void> => {
    const { records, leases, databaseNow } = world;
    const hold = () => leases.hold(LEASE.name, LEASE.milliseconds);
    let heldAt = databaseNow().getTime();
    let isHeld = await hold();
    const goOn = async (): Promise<boolean> => {
      if (!isHeld || databaseNow().getTime() - heldAt < RENEW_MS) return isHeld;
      heldAt = databaseNow().getTime();
      isHeld = await hold();
      return isHeld;
    };
    let group: Stored<Notification>[] = [];
    let tenant = "";
    let failures: Round["failures"] = new Map();
    const look = async () => {
      if (group.length > 0) await observeTenant(world, tenant, group, { failures, goOn });
      group = [];
    };
    const endTenant = async () => {
      await look();
      for (const found of failures.values()) if (await goOn()) await (await found).moveOn();
      failures = new Map();
    };
    for await (const batch of records.scan(notifications, "t/")) {
      for (const person of batch) {
        if (!(await goOn())) return;
        if (isForgotten(person, databaseNow())) {
          await records.remove(notifications, [{ key: person._id, rev: person.rev }]);
          continue;
        }
        if (tenantOf(person._id) !== tenant) await endTenant();
        else if (group.length >= maxTogether) await look();
        tenant = tenantOf(person._id);
        if (person.chosen.length > 0 || person.open.length > 0 || person.collected.length > 0) group.push(person);
      }
    }
    await endTenant();
  };

/** Whether a person from the identity provider has chosen nothing, has no e-mail waiting, and no longer has any permissions. */
const isForgotten = ({ login, chosen, mails }: Notification, now: Date): boolean =>
  login !== undefined && login.until <= now && chosen.length === 0 && mails.length === 0;
