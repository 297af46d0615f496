import type { Addressing } from "../../domain/linking/transceivers.ts";
import { ownerOf } from "../../schemas/keys.ts";
import { labels } from "../kinds/labels.ts";
import type { Place } from "../label-server-directory.ts";
import type { Records } from "../records.ts";

/** Returns where these labels are, by key. `known` are records that the caller has just read. */
export type ReadPlaces = (
  labelKeys: readonly string[],
  known?: ReadonlyMap<string, Addressing>,
) => Promise<(labelKey: string) => Place>;

/**
 * Reads label records only in stores whose departments have their own label servers: in other stores, the store determines the
 * label server.
 */
export const createReadPlaces =
  (records: Pick<Records, "readFields">, { isDivided }: { isDivided(store: string): boolean }): ReadPlaces =>
  async (labelKeys, known = new Map()) => {
    const isUnknown = (key: string) => isDivided(ownerOf(key)) && !known.has(key);
    const unknown = labelKeys.filter(isUnknown);
    const read = unknown.length > 0 ? await records.readFields(labels, unknown, ["homeTrx", "linkDepartment"]) : known;
    return (key) => placeOf(key, known.get(key) ?? read.get(key));
  };

/** Returns where the label with this key is. */
export const placeOf = (labelKey: string, { homeTrx, linkDepartment }: Addressing = {}): Place => ({
  store: ownerOf(labelKey),
  homeTrx,
  linkDepartment,
});
