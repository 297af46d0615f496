import { LRUCache } from "lru-cache";
import type { Surroundings } from "../../drawing/links/surroundings.ts";
import { fixedImageNames, fontNamesOf } from "../../drawing/thread/asset-names.ts";
import type { Drawing, Loader } from "../../drawing/thread/draw-within-limits.ts";
import {
  itemToDraw,
  type LoadedFile,
  type NamedFile,
  type NamedFontFile,
  type NamingLink,
} from "../../drawing/thread/drawing-order.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import type { Uploads } from "../../records/files/uploads.ts";
import { assetFiles } from "../../records/kinds/designs.ts";
import type { ReadTogether } from "../../records/read-together.ts";
import { type AssetFile, type AssetType, isAssetName } from "../../schemas/asset.ts";
import { type CanvasDesign, inPixels } from "../../schemas/canvas.ts";
import type { DesignerLink } from "../../schemas/design.ts";
import { assetKey, imageFileKey, tenantOf, uploadKey } from "../../schemas/keys.ts";
import { dpiOf } from "../../schemas/panels.ts";
import type { Stored } from "../../schemas/record.ts";
import { type Source, sourceOf } from "../changes/derivation.ts";

/** A link whose design may use the tenant's images and fonts; `designId` names one rev of the canvas. */
export interface FileUser extends Surroundings {
  tenant: string;
  designerLink: DesignerLink;
  designId: string;
  canvas: CanvasDesign;
}

/** The images and fonts that a link's design names, and the records that identify their files. */
export interface NamedFiles {
  images: ReadonlyMap<string, NamedFile>;
  /** Absent if the design names none. */
  fonts?: ReadonlyMap<string, NamedFontFile>;
  sources: readonly Source[];
}

const MAX_CANVASES = 1000;
/** An image reference from before images had names: the file's SHA-256. */
const SHA256 = /^[0-9a-f]{64}$/;

interface Names {
  /** Undefined if the images depend on the item. */
  images: readonly string[] | undefined;
  fonts: readonly string[];
}

/** The names in the most recently used designs. */
const namesByCanvas = new LRUCache<string, Names>({ max: MAX_CANVASES });

/**
 * Finds the images and fonts that the links' designs name, with one read for all of them. Only the drawing thread fills in
 * text, within its limits, so it determines the images that depend on the item.
 */
export async function readNamedFiles(
  read: ReadTogether,
  users: readonly FileUser[],
  drawing: Pick<Drawing, "nameImages">,
): Promise<NamedFiles[]> {
  const named = await namesOfAll(users, drawing);
  const keys = named.flatMap(({ tenant, images, fonts }) => [
    ...images.filter(isAssetName).map((name) => assetKey(tenant, "image", name)),
    ...fonts.map((name) => assetKey(tenant, "font", name)),
  ]);
  const [found] = await read([{ kind: assetFiles, keys }]);
  return named.map(({ tenant, images, fonts }) => {
    const sources: Source[] = [];
    const fileOf = (type: AssetType, name: string): AssetFile => {
      const key = assetKey(tenant, type, name);
      const record: Stored<AssetFile> | undefined = found.get(key);
      sources.push(sourceOf(assetFiles, key, record));
      return record ?? {};
    };
    const namedImages = images.map((name): [string, NamedFile] => {
      if (SHA256.test(name)) return [name, { file: imageFileKey(tenant, name) }];
      if (!isAssetName(name)) return [name, {}];
      const { image, fault } = fileOf("image", name);
      return [name, { ...(image && { file: imageFileKey(tenant, image) }), ...(fault && { fault }) }];
    });
    const namedFonts = fonts.map((name): [string, NamedFontFile] => {
      const { font, fault, readableFrom } = fileOf("font", name);
      const file = font && { file: uploadKey(tenant, font) };
      return [name, { ...file, ...(readableFrom && { readableFrom }), ...(fault && { fault }) }];
    });
    return { images: new Map(namedImages), ...(fonts.length > 0 && { fonts: new Map(namedFonts) }), sources };
  });
}

async function namesOfAll(users: readonly FileUser[], { nameImages }: Pick<Drawing, "nameImages">) {
  const found = users.map((user) => ({ user, names: isShown(user) ? namesOf(user) : nothing }));
  const byItem = found.flatMap(({ user, names }) => (names.images === undefined ? [user] : []));
  const canvases = new Map(byItem.map((user) => [user.designId, inPixels(user.canvas, dpiOf(user.labelType))]));
  const designOf = (id: string) => ({ id, canvas: canvases.get(id) as CanvasDesign });
  const filled = byItem.length > 0 ? await nameImages(byItem.map(namingLink), designOf) : [];
  const imagesOf = new Map(byItem.map((user, index) => [user, filled[index] ?? []]));
  return found.map(({ user, names: { images, fonts } }) => {
    return { tenant: user.tenant, fonts, images: images ?? imagesOf.get(user) ?? [] };
  });
}

const nothing: Names = { images: [], fonts: [] };

const isShown = ({ designerLink, item }: FileUser): boolean => designerLink.status === "ACTIVE" && item !== undefined;

function namesOf({ designId, canvas }: FileUser): Names {
  const names = namesByCanvas.get(designId) ?? { images: fixedImageNames(canvas), fonts: fontNamesOf(canvas) };
  namesByCanvas.set(designId, names);
  return names;
}

const namingLink = ({ designId, designerLink, displayPosition, item, labelType, store }: FileUser): NamingLink => ({
  designId,
  designerLink,
  displayPosition,
  item: item && itemToDraw(item),
  labelType,
  store,
});

/** Where the files of images and fonts are stored. */
export interface Files {
  imageFiles: Pick<ImageFiles, "read">;
  uploads: Pick<Uploads, "read">;
}

/** Reads files for the drawing thread, which has no database connection; `sent` holds files that are not stored. */
export function fileLoader(files: Files, sent: readonly LoadedFile[] = []): Pick<Loader, "images" | "fonts"> {
  const stored = storedLoader(files);
  const known = new Map(sent.map((file) => [file.key, file]));
  const sentOr = (load: Loader["images"]) => async (keys: readonly string[]) => [
    ...keys.flatMap((key) => known.get(key) ?? []),
    ...(await load(keys.filter((key) => !known.has(key)))),
  ];
  return sent.length > 0 ? { images: sentOr(stored.images), fonts: sentOr(stored.fonts) } : stored;
}

/** Reads stored files in parallel: images with one read per tenant, and each font separately. */
const storedLoader = ({ imageFiles, uploads }: Files): Pick<Loader, "images" | "fonts"> => ({
  async images(keys) {
    const ofTenants = Array.from(Map.groupBy(keys, tenantOf), async ([tenant, own]): Promise<LoadedFile[]> => {
      const found = await imageFiles.read(tenant, own.map(lastOf));
      return own.map((key) => ({ key, content: found.get(lastOf(key))?.png }));
    });
    return (await Promise.all(ofTenants)).flat();
  },
  fonts: (keys) =>
    Promise.all(keys.map(async (key) => ({ key, content: await uploads.read(tenantOf(key), lastOf(key)) }))),
});

/** Returns the SHA-256 in a file's key. */
const lastOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);
