import { FontAnswer, fontLimits, fontTypes, ListedFont } from "../../../schemas/asset.ts";
import { isTypeface, typefaces } from "../../../schemas/canvas-parts.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { FileFault } from "../../body/refuse-file.ts";
import { checkInThread } from "../../images/checked-in-thread.ts";
import { type AssetsWorld, assetRoutes } from "./assets.ts";

/** Fonts that texts and prices of designs name (docs/designs.md#fonts). */
export const fonts = (world: AssetsWorld) =>
  assetRoutes<FontAnswer, ListedFont>(world, {
    type: "font",
    field: "fontFile",
    example: "brand-bold",
    maxBytes: fontLimits.maxBytes,
    mediaTypes: fontTypes,
    texts: {
      list: "Every font of the tenant, and whether designs can draw with it",
      get: "A font, as it was sent",
      put: "Make or replace a font; every link whose design writes with it is drawn anew",
      description: `A TTF or OTF, under any name but ${typefaces.join(", ")}, which Shelfwire has. It is read after the answer; the list of fonts says whether that is done, and what was wrong.`,
      remove:
        "Delete a font; texts that name it are drawn in a typeface of Shelfwire, which is told with their pictures",
    },
    schemas: { answer: FontAnswer, listed: ListedFont, file: "FontFile" },
    limit: () => tenantLimits.fonts,
    check(file, name) {
      if (isTypeface(name)) throw new FileFault(`cannot be called "${name}": Shelfwire has a typeface of that name`);
      return checkInThread("font", file);
    },
    count: (...call) => world.replacements.ofFont(...call),
    answerOf: ({ name, mediaType, bytes, glyphs = 0, embedding = null, sha256 }) => ({
      ...{ name, mediaType: mediaType as FontAnswer["mediaType"], bytes, glyphs, embedding, sha256 },
    }),
    listedOf: (answer, state, file) => ({ ...answer, ...state, readableFrom: file?.readableFrom ?? null }),
  });
