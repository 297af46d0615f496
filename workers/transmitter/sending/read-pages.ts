import type { Logger } from "pino";
import { isFullRefresh } from "../../../domain/labels/care/full-refresh.ts";
import { transceiversOf } from "../../../domain/linking/transceivers.ts";
import type { ImageFiles } from "../../../records/files/image-files.ts";
import type { Place } from "../../../records/label-server-directory.ts";
import { placeOf } from "../../../records/labels/read-places.ts";
import { type Places, placesOf } from "../../../records/linking/places.ts";
import type { Records } from "../../../records/records.ts";
import { idOf, ownerOf, tenantOf } from "../../../schemas/keys.ts";
import type { Label } from "../../../schemas/label.ts";
import type { Transmission } from "../../../schemas/label-state.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import type { CareOfTypes } from "../care-of-types.ts";
import type { LabelServers } from "../servers/label-servers.ts";
import type { PageOfLabel } from "./lane.ts";

interface Dependencies {
  records: Records;
  imageFiles: ImageFiles;
  labelServers: LabelServers;
  careOfTypes: CareOfTypes;
  log: Pick<Logger, "error">;
}

/** A page, and where its label is. */
interface PlacedPage extends PageOfLabel {
  place: Place;
}

/**
 * Reads the pages of transmissions, by label, in the form that label servers accept. A transmission whose picture is not stored
 * is left out and logged.
 */
export async function readPages(
  { records, imageFiles, labelServers, careOfTypes, log }: Dependencies,
  sends: ReadonlyMap<string, Transmission>,
  urgency: Urgency,
  places?: Places,
): Promise<PlacedPage[]> {
  if (sends.size === 0) return [];
  const [labelRecords, storeRecords] = places ?? (await records.readTogether(placesOf([...sends.keys()])));
  // A new store's first picture must not be sent to the installation's label server by mistake.
  if ([...storeRecords.values()].some((store) => !labelServers.knows(store))) await labelServers.refresh();
  const care = await careOfTypes([...sends.keys()].map(tenantOf));
  const byTenant = [...Map.groupBy(sends, ([key]) => tenantOf(key))].map(async ([tenant, group]) => {
    const files = await imageFiles.read(tenant, [...new Set(group.map(([, { image }]) => image))]);
    return group.flatMap(([key, { image, text, page, number, cause, nth, switch: id }]): PlacedPage[] => {
      const png = files.get(image)?.png;
      const content = text !== undefined ? { text } : png && { png };
      if (content === undefined) {
        log.error({ key, image }, "the picture of a transmission is not stored");
        return [];
      }
      const store = ownerOf(key);
      const { device, type = 0, ...label }: Partial<Label> = labelRecords.get(key) ?? {};
      const reach = transceiversOf(label, storeRecords.get(store)?.linkDepartments ?? []);
      const transceivers = Array.isArray(reach) ? reach : [];
      // A retry keeps the urgency of the call that caused its picture.
      const isUrgent = urgency === "interactive" || cause?.urgency === "interactive";
      const priority = isUrgent ? "high" : "normal";
      const to = {
        store,
        barcode: idOf(key),
        priority,
        transceivers,
        ...(device !== undefined && { device }),
      } as const;
      const isFull = isFullRefresh(nth, care.get(tenant)?.get(type) ?? {});
      const sent = { ...to, page, number, content, cause, switch: id, ...(isFull && { isFull }) };
      return [{ key, place: placeOf(key, label), page: sent }];
    });
  });
  return (await Promise.all(byTenant)).flat();
}
