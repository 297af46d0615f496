import { ImageAnswer, imageLimits, imageTypes, ListedImage } from "../../../schemas/asset.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { checkInThread } from "../../images/checked-in-thread.ts";
import { type AssetsWorld, assetRoutes } from "./assets.ts";

/** Operations on the images that designs name (docs/designs/images-and-fonts.md#images). */
export const images = (world: AssetsWorld) =>
  assetRoutes<ImageAnswer, ListedImage>(world, {
    type: "image",
    field: "imageFile",
    example: "nutri-a",
    maxBytes: imageLimits.maxBytes,
    mediaTypes: imageTypes,
    texts: {
      list: "List the tenant's images, and whether designs can use them",
      get: "Get an image, as uploaded",
      put: "Create or replace an image; all links whose design shows it are drawn again",
      description:
        "A PNG, JPEG or SVG file. It is decoded after the response; the list of images shows whether decoding has finished, and any fault found.",
      remove: "Delete an image; designs that use it are drawn without it, which is reported with their pictures",
    },
    schemas: { answer: ImageAnswer, listed: ListedImage, file: "ImageFile" },
    limit: () => tenantLimits.images,
    check: (file) => checkInThread("image", file),
    count: (...call) => world.replacements.ofImage(...call),
    answerOf: ({ name, mediaType, bytes, width = 0, height = 0, sha256 }) => ({
      ...{ name, mediaType: mediaType as ImageAnswer["mediaType"], bytes, width, height, sha256 },
    }),
    listedOf: (answer, state) => ({ ...answer, ...state }),
  });
