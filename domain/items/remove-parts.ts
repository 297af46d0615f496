import { exists, type Item } from "../../schemas/item.ts";
import { changeRegular } from "../campaigns/offers.ts";
import { enterVersion, propertyField, versionsOf, withVersions } from "./field-versions.ts";

/**
 * Returns an item without a code. Undefined if the item does not list the code. A code that was removed with the same stamp
 * counts as listed, so a row that is applied again succeeds.
 */
export function removeSic(current: Item | undefined, sic: string, stamp: number): Item | undefined {
  if (current === undefined || !exists(current)) return undefined;
  const set = current.stamps.sics ?? -1;
  if (!current.sics.includes(sic)) return set === stamp ? current : undefined;
  if (stamp < set) return undefined;
  return { ...current, sics: current.sics.filter((code) => code !== sic), stamps: { ...current.stamps, sics: stamp } };
}

/**
 * Returns an item without a property. Undefined if there is no item. The property stays as a tombstone, an empty value with
 * the stamp of its removal. The larger stamp wins, so a row that was accepted before the removal and is applied after it does
 * not restore the value. A later value keeps the removal among its versions, so that no undo restores an earlier value. A
 * campaign that runs for the item still shows its own value.
 */
export function removeProperty(current: Item | undefined, key: string, stamp: number): Item | undefined {
  if (current === undefined || !exists(current)) return undefined;
  return changeRegular(current, (regular) => {
    const present = regular.properties.find((property) => property.key === key);
    if (present === undefined) return regular;
    const field = propertyField(key);
    const versions = versionsOf(regular, field, present);
    const after = versions && enterVersion(versions, present, { stamp });
    const entered = after === versions ? regular : withVersions(regular, new Map([[field, after]]));
    if (present.value === "" || present.stamp >= stamp) return entered;
    const removed = { key, value: "", stamp };
    return { ...entered, properties: entered.properties.map((one) => (one === present ? removed : one)) };
  });
}
