import { exists, type Item } from "../../schemas/item.ts";
import { changeRegular } from "../campaigns/offers.ts";

/**
 * An item without a code; undefined if it does not list the code. A code that this same stamp removed counts as listed,
 * so a row that is applied again succeeds.
 */
export function removeSic(current: Item | undefined, sic: string, stamp: number): Item | undefined {
  if (current === undefined || !exists(current)) return undefined;
  const set = current.stamps.sics ?? -1;
  if (!current.sics.includes(sic)) return set === stamp ? current : undefined;
  if (stamp < set) return undefined;
  return { ...current, sics: current.sics.filter((code) => code !== sic), stamps: { ...current.stamps, sics: stamp } };
}

/**
 * An item without a property; undefined if there is no item. The property stays as a tombstone, an empty value under
 * the stamp of its removal: the larger stamp wins, so a row that was accepted before the removal and applied after it
 * does not restore the value. A campaign that runs for the item still shows its own.
 */
export function removeProperty(current: Item | undefined, key: string, stamp: number): Item | undefined {
  if (current === undefined || !exists(current)) return undefined;
  return changeRegular(current, (regular) => {
    const properties = regular.properties.map((property) =>
      property.key === key && property.value !== "" && property.stamp < stamp ? { key, value: "", stamp } : property,
    );
    return properties.every((property, index) => property === regular.properties[index])
      ? regular
      : { ...regular, properties };
  });
}
