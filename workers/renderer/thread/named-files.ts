import { LRUCache } from "lru-cache";
import { type Source, sourceOf } from "../../../queues/changes/derive.ts";
import type { ImageFiles } from "../../../records/files/image-files.ts";
import { assetFiles } from "../../../records/kinds/asset-file.ts";
import type { Records } from "../../../records/records.ts";
import { isAssetName } from "../../../schemas/asset.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import type { DesignerLink } from "../../../schemas/design.ts";
import { assetKey, imageFileKey } from "../../../schemas/keys.ts";
import { type ImageNames, imageNamesOf } from "../canvas/named-images.ts";
import type { Surroundings } from "../links/load-surroundings.ts";
import { variablesOf } from "../links/render-link.ts";
import type { LoadedFile, NamedFile } from "./drawing-order.ts";

/** A link whose design may show images; `canvasId` names one rev of the canvas. */
export interface ImageUser extends Surroundings {
  tenant: string;
  designerLink: DesignerLink;
  canvasId: string;
  canvas: CanvasDesign;
}

/** The images that a link's design shows, and the records that say which files these are. */
export interface NamedFiles {
  images: ReadonlyMap<string, NamedFile>;
  sources: readonly Source[];
}

const MAX_CANVASES = 1000;
/** Image files of the form before they had names. */
const SHA256 = /^[0-9a-f]{64}$/;

/** Compiled names of the designs that were used last. */
const namesByCanvas = new LRUCache<string, ImageNames>({ max: MAX_CANVASES });

/** Finds the images that the designs of links show, with one read for all that have any. */
export async function readNamedFiles(
  records: Pick<Records, "read">,
  users: readonly ImageUser[],
): Promise<NamedFiles[]> {
  const named = users.map((user) => ({ tenant: user.tenant, names: namesOf(user) }));
  const keys = named.flatMap(({ tenant, names }) => names.filter(isAssetName).map((name) => keyOf(tenant, name)));
  const found = keys.length > 0 ? await records.read(assetFiles, [...new Set(keys)]) : new Map();
  return named.map(({ tenant, names }) => {
    const sources: Source[] = [];
    const images = names.map((name): [string, NamedFile] => {
      if (SHA256.test(name)) return [name, { file: imageFileKey(tenant, name) }];
      if (!isAssetName(name)) return [name, {}];
      const record = found.get(keyOf(tenant, name));
      sources.push(sourceOf(assetFiles, keyOf(tenant, name), record));
      const { image, fault } = record ?? {};
      return [name, { ...(image && { file: imageFileKey(tenant, image) }), ...(fault && { fault }) }];
    });
    return { images: new Map(images), sources };
  });
}

const keyOf = (tenant: string, name: string): string => assetKey(tenant, "image", name);

function namesOf({ designerLink, canvasId, canvas, ...surroundings }: ImageUser): readonly string[] {
  const { item, labelType } = surroundings;
  if (designerLink.status !== "ACTIVE" || item === undefined) return [];
  const names = namesByCanvas.get(canvasId) ?? imageNamesOf(canvas);
  namesByCanvas.set(canvasId, names);
  return names(labelType, () => variablesOf(surroundings, designerLink, item));
}

/** Reads image files for the drawing thread, which has no database. */
export async function readFiles(
  imageFiles: Pick<ImageFiles, "read">,
  tenant: string,
  keys: readonly string[],
): Promise<LoadedFile[]> {
  const prefix = imageFileKey(tenant, "");
  const found = await imageFiles.read(
    tenant,
    keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)),
  );
  return keys.map((key) => ({ key, png: found.get(key.slice(prefix.length))?.png }));
}
