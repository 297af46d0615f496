import type { Decoding } from "../../drawing/decoding/decoding.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import type { Uploads } from "../../records/files/uploads.ts";
import { assetFiles, assets } from "../../records/kinds/designs.ts";
import type { Asset, AssetFile } from "../../schemas/asset.ts";
import { imageFileKey, tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { type Derivation, sourceOf } from "../changes/derivation.ts";

interface Dependencies {
  uploads: Pick<Uploads, "read">;
  imageFiles: Pick<ImageFiles, "put" | "findMissing">;
  decodeAsset: Decoding["decodeAsset"];
}

/**
 * Derives assetfile.v1 from an uploaded asset. The asset is decoded only here, so that no drawing thread reads a caller's
 * bytes.
 */
export const assetFileDerivation = (dependencies: Dependencies): Derivation<Asset, AssetFile> => ({
  kind: assetFiles,
  from: [assets],
  keepsInputs: true,
  async findLost(records) {
    const fileOf = ({ _id, image }: Stored<AssetFile>) => image && imageFileKey(tenantOf(_id), image);
    const missing = await dependencies.imageFiles.findMissing(records.flatMap((record) => fileOf(record) ?? []));
    return records.filter((record) => missing.has(fileOf(record) ?? "")).map(({ _id }) => _id);
  },
  async load(keys, read) {
    const [found] = await read([{ kind: assets, keys }]);
    return new Map([...found].map(([key, asset]) => [key, { facts: asset, sources: [sourceOf(assets, key, asset)] }]));
  },
  async decide(cases) {
    const bodies: AssetFile[] = [];
    // Decoded one by one, since each asset may take a second and hundreds of megabytes.
    for (const { key, facts } of cases) bodies.push(await decode(dependencies, tenantOf(key), facts));
    return bodies;
  },
});

async function decode(
  { uploads, imageFiles, decodeAsset }: Dependencies,
  tenant: string,
  { deleted, upload, mediaType }: Asset,
): Promise<AssetFile> {
  if (deleted) return {};
  const file = await uploads.read(tenant, upload);
  if (file === undefined) return { fault: "the uploaded file is no longer stored: send it again" };
  const decoded = await decodeAsset({ file, mediaType });
  if ("failed" in decoded) return { fault: `it cannot be decoded: ${decoded.failed}` };
  // Text is drawn with the font file as it was sent.
  if ("font" in decoded) return { font: upload, ...decoded.font };
  // The image is stored before the record refers to it.
  await imageFiles.put(tenant, [decoded.image]);
  return { image: decoded.image.sha256 };
}
