import { randomUUID } from "node:crypto";
import type { Permit } from "../../../api/access/verify-token.ts";
import { createNotifications, type NotificationChoice } from "../../../api/notifications/notification-store.ts";
import { keyOfPerson, linkTo } from "../../../domain/notifications/mail-links.ts";
import { openActivityLog } from "../../../records/activity/activity-log.ts";
import { notifications } from "../../../records/kinds/notifications.ts";
import { apiUsers, stores } from "../../../records/kinds/tenants.ts";
import { apiUserKey, storeKey } from "../../../schemas/keys.ts";
import type { Notification, NotificationKind } from "../../../schemas/notification.ts";
import type { Role } from "../../../schemas/role.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { createObservePeople } from "../../../workers/notifier/mails/observe-people.ts";
import { createCountBatteries } from "../../../workers/notifier/mails/read-batteries.ts";
import { createReadFailures } from "../../../workers/notifier/mails/read-failures.ts";
import { createReadStates } from "../../../workers/notifier/mails/read-states.ts";
import type { ASystem } from "../../harness/system.ts";

export const TENANT = "demo";
const MINUTE_MS = 60_000;
const SESSION_LIFETIME = 3_600;

/** People of a tenant who are notified about real records, at a time that the test sets. */
export function notifiedPeople(own: Pick<ASystem, "system">) {
  let ahead = 0;
  const now = () => new Date(own.system.databaseNow().getTime() + ahead);
  const keyOf = (caller: string) => keyOfPerson({ tenant: TENANT, caller });
  const store = () => createNotifications({ ...own.system, databaseNow: now, lifetime: SESSION_LIFETIME });
  const read = async (caller: string): Promise<Notification | undefined> =>
    (await own.system.records.read(notifications, [keyOf(caller)])).get(keyOf(caller));
  const permitOf = (caller: string): Permit =>
    ({ tenant: TENANT, caller, stores: "*", scopes: new Set() }) as unknown as Permit;
  /** Uses the real components; each call stands for a separate process. */
  const worldOf = () => ({
    ...own.system,
    databaseNow: now,
    readStates: createReadStates(own.system),
    readFailures: createReadFailures({ db: own.system.db, activityLog: openActivityLog(own.system.db) }),
    countBatteries: createCountBatteries(own.system.records),
    newId: randomUUID,
  });

  return {
    now,
    read,
    keyOf,
    worldOf,
    store,
    permitOf,

    /** Sets the time, from which the clock continues. */
    setNow(at: Date): void {
      ahead += at.getTime() - now().getTime();
    },

    addStore: (id: string, timeZone: string) =>
      own.system.commit.change(stores, [storeKey(TENANT, id)], () => ({ ...demoStore, name: id, timeZone }), "bulk"),

    /** A user with these stores and this role; without a role, the user is removed. */
    async setUser(name: string, allowed: "*" | string[], role?: Role): Promise<void> {
      const user = { name, tenant: TENANT, stores: allowed, scope: "", ...(role && { role }) };
      if (role) await own.system.commit.change(apiUsers, [apiUserKey(name)], () => user, "bulk");
      else
        for (const { _id: key, rev } of (await own.system.records.read(apiUsers, [apiUserKey(name)])).values())
          await own.system.records.remove(apiUsers, [{ key, rev }]);
    },

    /** Saves a choice whose address is then confirmed by the mailed link. */
    async choose(caller: string, chosen: NotificationKind[], more: Partial<NotificationChoice> = {}): Promise<void> {
      const address = "ana@chain.example";
      const choice = { chosen, lateMinutes: 15, stores: "*" as const, language: "en", address, ...more };
      if ((await store().save(permitOf(caller), choice)) !== "confirm") return;
      const signed = await read(caller);
      if (signed === undefined) throw new Error(`${caller} has chosen nothing`);
      const link = new URL(linkTo("confirm", "https://labels.example", keyOf(caller), signed));
      await store().confirm(keyOf(caller), link.searchParams.get("signature"));
    },

    /** Checks after this many minutes, with each person in a separate group; `toldTo` reads what was collected. */
    async look(minutes: number): Promise<void> {
      ahead += minutes * MINUTE_MS;
      await createObservePeople(worldOf(), 1)();
    },

    /** The events collected for a person since the last call, as "kind event store count". */
    async toldTo(caller: string): Promise<string[]> {
      const { collected = [], mails = [] } = (await read(caller)) ?? {};
      const entries = [...mails.flatMap((mail) => mail.entries), ...collected];
      const forget = (_: string, one: Notification | undefined) =>
        one && { ...one, collected: [], left: 0, mails: [], sent: [] };
      await own.system.commit.change(notifications, [keyOf(caller)], forget, "bulk");
      return entries.map(({ kind, event, store, count = 0 }) => `${kind} ${event} ${store} ${count}`);
    },
  };
}
