import { FontAnswer, fontLimits, fontTypes, ListedFont } from "../../../schemas/asset.ts";
import { isTypeface, typefaces } from "../../../schemas/canvas-parts.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { FileFault } from "../../body/refuse-file.ts";
import { checkInThread } from "../../images/checked-in-thread.ts";
import { type AssetsWorld, assetRoutes } from "./assets.ts";

/** Operations on the fonts that text and price elements in designs name (docs/designs/images-and-fonts.md#fonts). */
export const fonts = (world: AssetsWorld) =>
  assetRoutes<FontAnswer, ListedFont>(world, {
    type: "font",
    field: "fontFile",
    example: "brand-bold",
    maxBytes: fontLimits.maxBytes,
    mediaTypes: fontTypes,
    texts: {
      list: "List the tenant's fonts, and whether designs can use them",
      get: "Get a font, as uploaded",
      put: "Create or replace a font; all links whose design uses it are drawn again",
      description: `A TTF or OTF file, under any name except the built-in typefaces ${typefaces.join(", ")}. It is processed after the response; the list of fonts shows whether processing has finished, and any fault found.`,
      remove:
        "Delete a font; texts that use it are drawn in a built-in typeface, which is reported with their pictures",
    },
    schemas: { answer: FontAnswer, listed: ListedFont, file: "FontFile" },
    limit: () => tenantLimits.fonts,
    check(file, name) {
      if (isTypeface(name)) throw new FileFault(`cannot be called "${name}": this is the name of a built-in typeface`);
      return checkInThread("font", file);
    },
    count: (...call) => world.replacements.ofFont(...call),
    answerOf: ({ name, mediaType, bytes, glyphs = 0, embedding = null, sha256 }) => ({
      ...{ name, mediaType: mediaType as FontAnswer["mediaType"], bytes, glyphs, embedding, sha256 },
    }),
    listedOf: (answer, state, file) => ({ ...answer, ...state, readableFrom: file?.readableFrom ?? null }),
  });
