import { type Static, Type } from "typebox";
import { entriesOf } from "../../schemas/label-history.ts";
import { identifier } from "../../schemas/text.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import type { LabelHistoryWorld } from "./label-history.ts";
import { LabelPath } from "./labels.ts";

export interface LabelImageWorld extends LabelHistoryWorld {
  hasLabel(store: string, barcode: string): Promise<boolean>;
  /** Returns the PNG of a picture of the label; undefined if there is none. */
  readImage(store: string, barcode: string, of: PictureOf): Promise<Uint8Array | undefined>;
  /** Returns the PNG of a picture of the store's tenant; undefined if it is no longer stored. */
  readPicture(store: string, sha256: string): Promise<Uint8Array | undefined>;
}

/** Selects one of a label's pictures. */
export const PictureOf = Type.Enum(["newest", "shown", "next"], {
  description:
    "`newest` (the default): the picture that the label should show. `shown`: the last one that it acknowledged. `next`: the " +
    "newest, if the label has not acknowledged it; otherwise 404",
});
export type PictureOf = Static<typeof PictureOf>;

const none: Record<PictureOf, string> = {
  newest: "has no picture yet",
  shown: "has not acknowledged a picture, or it is no longer stored",
  next: "shows its newest picture: none is in transmission",
};

const Png = Type.Unsafe<Buffer>({ contentMediaType: "image/png", title: "PNG" });

const PicturePath = Type.Object({
  ...LabelPath.properties,
  sha256: identifier(64, "SHA-256 of the picture's pixels, from the label's history"),
});

/** A label's pictures: the newest, and those in its history. */
export const labelImage = ({ hasLabel, readImage, readHistory, readPicture, noLabel }: LabelImageWorld) => [
  route({
    method: "GET",
    path: "/labels/:barcode/image",
    operationId: "getLabelImage",
    summary: "Get a picture of the label: the newest, the one that it shows, or the one in transmission",
    scope: "labels:read",
    params: LabelPath,
    query: Type.Object({ of: Type.Optional(PictureOf) }),
    isTagged: true,
    answers: { 200: Png },
    problems: ["not-found"],
    handle: async ({ store, params: { barcode }, query: { of = "newest" } }) => {
      const png = await readImage(store, barcode, of);
      if (png !== undefined) return { status: 200, type: "image/png", body: Buffer.from(png) };
      if (await hasLabel(store, barcode)) throw new ProblemError("not-found", `The label "${barcode}" ${none[of]}.`);
      throw await noLabel(store, barcode);
    },
  }),

  route({
    method: "GET",
    path: "/labels/:barcode/images/:sha256",
    operationId: "getEarlierLabelImage",
    summary: "Get a picture from a label's history, for as long as it is stored",
    scope: "labels:read",
    params: PicturePath,
    isTagged: true,
    answers: { 200: Png },
    problems: ["not-found"],
    handle: async ({ store, params: { barcode, sha256 } }) => {
      const history = await readHistory(store, barcode);
      if (history === undefined) throw await noLabel(store, barcode);
      // A tenant stores identical pictures once, so only pictures in this label's history are certain to belong to this store.
      const isItsOwn = entriesOf(history).some(({ image }) => image === sha256);
      const png = isItsOwn ? await readPicture(store, sha256) : undefined;
      if (png === undefined)
        throw new ProblemError(
          "not-found",
          `The label "${barcode}" has no picture "${sha256}", or it is no longer stored.`,
        );
      return { status: 200, type: "image/png", body: Buffer.from(png) };
    },
  }),
];
