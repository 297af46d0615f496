import { labelTypeKey } from "../../schemas/keys.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { labelTypes } from "../kinds/tenants.ts";
import { type Records, readAll } from "../records.ts";

/** Reads a tenant's label types by number. */
export async function readTypesByNumber(
  records: Pick<Records, "scan">,
  tenant: string,
): Promise<ReadonlyMap<number, LabelType>> {
  const types = await readAll(records, labelTypes, labelTypeKey(tenant, ""));
  return new Map(types.map((type) => [type.type, type]));
}
