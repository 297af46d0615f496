import Router from "@koa/router";
import { storeKey } from "../../../schemas/keys.ts";
import { compileCheck } from "../../../schemas/validate.ts";
import { sendTagged } from "../../http/answers/write-answer.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { findOwner, type OwnerWorld } from "../../mount.ts";
import { type LabelImageWorld, PictureOf } from "../label-image.ts";
import type { PictureLinks } from "./picture-links.ts";

interface LinkedPicturesWorld extends OwnerWorld, Pick<LabelImageWorld, "readImage"> {
  pictureLinks: PictureLinks | undefined;
  now(): Date;
}

const SECOND_MS = 1_000;
const checkOf = compileCheck(PictureOf);
/** A browser that shows the same picture repeatedly requests it at most once a minute, and receives 304 if it is unchanged. */
const CACHE_CONTROL = "private, max-age=60";

/** Serves the pictures that signed links name. Nothing is read before the signature has been verified. */
export function linkedPictures(world: LinkedPicturesWorld): Router {
  const { pictureLinks, readImage, now } = world;
  const router = new Router({ strict: true, sensitive: true });
  router.get("/t/:tenantId/s/:storeId/api/label-pictures/:barcode", async (context) => {
    const { tenantId = "", storeId = "", barcode = "" } = context.params;
    const { of, expires, signature } = context.query;
    const picture = { store: storeKey(tenantId, storeId), barcode, of: of as PictureOf, expires: Number(expires) };
    const isSigned =
      checkOf(of).length === 0 &&
      typeof expires === "string" &&
      typeof signature === "string" &&
      pictureLinks?.isSigned(picture, signature) === true;
    if (!isSigned)
      throw new ProblemError("forbidden", "The link is not signed by this server. Get a new one with GET image-link.");
    if (picture.expires * SECOND_MS <= now().getTime())
      throw new ProblemError("forbidden", "The link has expired. Get a new one with GET image-link.");
    const { store = "" } = await findOwner({}, { tenantId, storeId }, world);
    const png = await readImage(store, barcode, picture.of);
    if (png === undefined)
      throw new ProblemError("not-found", `The label "${barcode}" does not have this picture at present.`);
    // Dashboards on other origins embed the picture.
    context.set({ "cross-origin-resource-policy": "cross-origin", "referrer-policy": "no-referrer" });
    const answer = { status: 200, headers: {}, type: "image/png", body: Buffer.from(png) };
    sendTagged(context, answer, { cacheControl: CACHE_CONTROL });
  });
  return router;
}
