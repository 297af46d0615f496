import { ImageAnswer, imageLimits, imageTypes, ListedImage } from "../../../schemas/asset.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { checkInThread } from "../../images/checked-in-thread.ts";
import { type AssetsWorld, assetRoutes } from "./assets.ts";

/** Images that designs name (docs/designs.md#images). */
export const images = (world: AssetsWorld) =>
  assetRoutes<ImageAnswer, ListedImage>(world, {
    type: "image",
    field: "imageFile",
    example: "nutri-a",
    maxBytes: imageLimits.maxBytes,
    mediaTypes: imageTypes,
    texts: {
      list: "Every image of the tenant, and whether designs can draw it",
      get: "An image, as it was sent",
      put: "Make or replace an image; every link whose design shows it is drawn anew",
      description:
        "A PNG, JPEG or SVG. It is decoded after the answer; the list of images says whether that is done, and what was wrong.",
      remove: "Delete an image; designs that name it are drawn without it, which is told with their pictures",
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
