import { isDeepStrictEqual } from "node:util";
import {
  barcodeScheme,
  patternFault,
  schemeOfTenant,
  UNSTATED_TYPE,
} from "../../domain/linking/barcodes/barcode-scheme.ts";
import { allKinds } from "../../records/all-kinds.ts";
import type { RecordKind } from "../../records/kind.ts";
import { apiUsers, tenants as kind, stores } from "../../records/kinds/tenants.ts";
import { type Records, readAll } from "../../records/records.ts";
import { apiUserKey, storeKey, tenantIdOf, tenantKey } from "../../schemas/keys.ts";
import { TenantOrder } from "../../schemas/tenant.ts";
import { platformLimits } from "../../schemas/tenant-limits.ts";
import { plainId } from "../../schemas/text.ts";
import { anyLabel } from "./label-uses.ts";
import { createResource, type InstallationWorld, type Resource, shownFields } from "./resource.ts";

export type ShownTenant = TenantOrder & {
  tenantId: string;
  /** Only while a tenant is being removed: when the removal was ordered, and when its data will be deleted. */
  removal?: { since: string; due: string };
};

/**
 * The installation's tenants. A tenant without stores can be removed, with all its data. `barcodePattern` applies to
 * tenants without their own barcode scheme.
 */
export function tenantResource(world: InstallationWorld, barcodePattern: string): Resource<TenantOrder, ShownTenant> {
  const fallback = () => barcodeScheme({ pattern: barcodePattern, checkDigit: "ascii-sum" });
  return createResource(world, {
    kind,
    noun: "tenant",
    id: plainId("Id of the tenant"),
    order: TenantOrder,
    keyOf: (_, id) => tenantKey(id),
    // The active pack, the publication limits and the price guards are set through the tenant's own interface, and a
    // removal is cancelled by a separate command.
    bodyOf: (order, _, current) => ({
      ...order,
      ...(current?.communicationPack && { communicationPack: current.communicationPack }),
      ...(current?.publishLimits && { publishLimits: current.publishLimits }),
      ...(current?.priceGuards && { priceGuards: current.priceGuards }),
      ...(current?.removal && { removal: current.removal }),
    }),
    answerOf: ({ _id, removal, ...tenant }) => ({
      tenantId: tenantIdOf(_id),
      ...shownFields(TenantOrder, tenant),
      ...(removal && { removal: { since: removal.since.toISOString(), due: removal.due.toISOString() } }),
    }),
    faultsOf({ barcodeScheme }) {
      const detail = barcodeScheme && patternFault(barcodeScheme.pattern);
      return detail ? [{ pointer: "/barcodeScheme/pattern", detail }] : [];
    },
    async whyKept(order, { _id, barcodeScheme: present, macBarcodes = false }) {
      if (isDeepStrictEqual(order.barcodeScheme, present) && (order.macBarcodes ?? false) === macBarcodes)
        return undefined;
      const readType = schemeOfTenant(order, fallback());
      const label = await anyLabel(
        world.records,
        _id,
        ({ type }, barcode) => ![type, UNSTATED_TYPE].includes(readType(barcode) ?? 0),
      );
      return label && `The tenant's label ${label} has a barcode that the new scheme would interpret differently.`;
    },
    limit: () => ({ most: platformLimits.tenants, of: "An installation" }),
    async whyInUse({ _id }) {
      const tenantId = tenantIdOf(_id);
      const present = await world.records.count(stores, storeKey(tenantId, ""));
      return present === 0 ? undefined : `The tenant "${tenantId}" has ${present} stores: remove them first.`;
    },
    async removeParts({ _id }) {
      for (const one of await allKinds()) await removeUnder(world.records, one, `${_id}/`);
      // Users are stored outside the tenants, since their names are unique across all of them.
      const users = await readAll(world.records, apiUsers, apiUserKey(""));
      await removeAll(
        world.records,
        apiUsers,
        users.filter(({ tenant }) => tenant === tenantIdOf(_id)),
      );
    },
  });
}

async function removeUnder(records: Records, kind: RecordKind<unknown>, prefix: string): Promise<void> {
  for await (const batch of records.scanFields(kind, prefix, [])) await removeAll(records, kind, batch);
}

const removeAll = (records: Records, kind: RecordKind<never>, found: readonly { _id: string; rev: number }[]) =>
  records.remove(
    kind as RecordKind<unknown>,
    found.map(({ _id, rev }) => ({ key: _id, rev })),
  );
