import { Type } from "typebox";
import type { Commit } from "../../../queues/changes/commit.ts";
import type { Uploads } from "../../../records/files/uploads.ts";
import { inputOf, type Stored } from "../../../records/kind.ts";
import { assets as kind } from "../../../records/kinds/asset.ts";
import { assetFiles } from "../../../records/kinds/asset-file.ts";
import type { Records } from "../../../records/records.ts";
import {
  type Asset,
  type AssetFile,
  ImageAnswer,
  imageLimits,
  imageName,
  imageTypes,
  ListedImage,
} from "../../../schemas/asset.ts";
import { assetKey } from "../../../schemas/keys.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { Nothing, tenantRoute } from "../../http/route.ts";
import { checkAssetImage } from "../../images/check-asset.ts";
import { refuseImage } from "../../images/refuse-image.ts";
import { createFinder, missing } from "../find-records.ts";
import { assertTagSeen } from "../preconditions.ts";

export interface ImagesWorld {
  records: Records;
  commit: Commit;
  uploads: Pick<Uploads, "put" | "read">;
}

const FIELD = "imageFile";
const ImagePath = Type.Object({ name: imageName("Name of the image") });
const [firstType, ...otherTypes] = imageTypes;
const File = Type.Unsafe<Buffer>({ contentMediaType: firstType, title: "ImageFile" });

/** Of a browser that opens the address of an SVG: nothing in it runs or is loaded. */
const UNTRUSTED = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "x-content-type-options": "nosniff",
};

/** Images that designs name (docs/designs.md#images). */
export const images = ({ records, commit, uploads }: ImagesWorld) => {
  const keyOf = (tenant: string, name: string) => assetKey(tenant, "image", name);
  const found = createFinder(records, { kind, noun: "image", keyOf });
  const nameOf = (tenant: string, key: string): string => key.slice(keyOf(tenant, "").length);
  const whatIs = (name: string): string => `The image "${name}"`;
  const answerOf = (tenant: string, asset: Stored<Asset>): ImageAnswer => {
    const { _id, mediaType, bytes, width, height, upload } = asset;
    return { name: nameOf(tenant, _id), mediaType, bytes, width, height, sha256: upload };
  };

  return [
    tenantRoute({
      method: "GET",
      path: "/images",
      operationId: "listImages",
      summary: "Every image of the tenant, and whether designs can draw it",
      scope: "design:read",
      answers: { 200: Type.Array(ListedImage) },
      handle: async ({ tenant }) => {
        const all = await found.all(tenant);
        const files = await records.read(
          assetFiles,
          all.map(({ _id }) => _id),
        );
        const body = all.map((asset) => ({ ...answerOf(tenant, asset), ...stateOf(asset, files.get(asset._id)) }));
        return { status: 200, body };
      },
    }),

    tenantRoute({
      method: "GET",
      path: "/images/:name",
      operationId: "getImage",
      summary: "An image, as it was sent",
      scope: "design:read",
      params: ImagePath,
      isTagged: true,
      answers: { 200: File },
      alsoAs: otherTypes,
      problems: ["not-found"],
      handle: async ({ tenant, params: { name } }) => {
        const { upload, mediaType } = await found.one(tenant, name);
        const file = await uploads.read(tenant, upload);
        if (file === undefined) throw missing("image", name);
        return { status: 200, type: mediaType, body: Buffer.from(file), headers: UNTRUSTED };
      },
    }),

    tenantRoute({
      method: "PUT",
      path: "/images/:name",
      operationId: "putImage",
      summary: "Make or replace an image; every link whose design shows it is drawn anew",
      description:
        "A PNG, JPEG or SVG. It is decoded after the answer; the list of images says whether that is done, and what was wrong.",
      scope: "design:write",
      params: ImagePath,
      upload: FIELD,
      uploadBounds: { maxBytes: imageLimits.maxBytes, mediaTypes: imageTypes },
      isGuarded: true,
      answers: { 200: ImageAnswer },
      problems: ["conflict"],
      handle: async ({ tenant, params: { name }, upload: file, header }) => {
        const checked = await checkAssetImage(file).catch(refuseImage(FIELD));
        await found.assertRoom(tenant, name, tenantLimits.images);
        // Stored before the record that names it.
        const upload = await uploads.put(tenant, file);
        const key = keyOf(tenant, name);
        const save = (_: string, current: Stored<Asset> | undefined): Asset => {
          assertTagSeen(header, tagOf(current), whatIs(name));
          return { type: "image", ...checked, upload, bytes: file.length };
        };
        const saved =
          (await commit.change(kind, [key], save, "interactive")).get(key) ?? (await found.one(tenant, name));
        return { status: 200, body: answerOf(tenant, saved), headers: { etag: tagOf(saved) ?? "" } };
      },
    }),

    tenantRoute({
      method: "DELETE",
      path: "/images/:name",
      operationId: "deleteImage",
      summary: "Delete an image; designs that name it are drawn without it, which is told with their pictures",
      scope: "design:write",
      params: ImagePath,
      isGuarded: true,
      answers: { 204: Nothing },
      problems: ["not-found"],
      handle: async ({ tenant, params: { name }, header }) => {
        const { _id } = await found.one(tenant, name);
        const end = (_: string, current: Stored<Asset> | undefined): Asset => {
          if (current === undefined || current.deleted) throw missing("image", name);
          assertTagSeen(header, tagOf(current), whatIs(name));
          const { type, mediaType, upload, bytes, width, height } = current;
          return { type, mediaType, upload, bytes, width, height, deleted: true };
        };
        await commit.change(kind, [_id], end, "interactive");
        return { status: 204 };
      },
    }),
  ];
};

/** The ETag of a file's bytes, as `GET` has it; undefined where there is none. */
const tagOf = (asset: Asset | undefined): string | undefined =>
  asset === undefined || asset.deleted ? undefined : `"${Buffer.from(asset.upload, "hex").toString("base64url")}"`;

/** Whether the asset as it is now was decoded, and what was wrong. */
function stateOf(asset: Stored<Asset>, file: Stored<AssetFile> | undefined): Pick<ListedImage, "isReady" | "fault"> {
  const isOfNow = file?.inputs?.includes(inputOf(kind, asset._id, asset.rev)) ?? false;
  return { isReady: isOfNow && file?.image !== undefined, fault: (isOfNow && file?.fault) || null };
}
