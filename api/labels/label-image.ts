import { Type } from "typebox";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import { LabelPath, noLabel } from "./labels.ts";

export interface LabelImageWorld {
  hasLabel(store: string, barcode: string): Promise<boolean>;
  /** The PNG of the newest picture, which the label shows or is being sent; undefined where there is none yet. */
  readImage(store: string, barcode: string): Promise<Uint8Array | undefined>;
}

const Png = Type.Unsafe<Buffer>({ contentMediaType: "image/png", title: "PNG" });

/** The picture of a label. */
export const labelImage = ({ hasLabel, readImage }: LabelImageWorld) => [
  route({
    method: "GET",
    path: "/labels/:barcode/image",
    operationId: "getLabelImage",
    summary: "The picture that the label shows or that is on its way",
    scope: "labels:read",
    params: LabelPath,
    isTagged: true,
    answers: { 200: Png },
    problems: ["not-found"],
    handle: async ({ store, params: { barcode } }) => {
      const png = await readImage(store, barcode);
      if (png !== undefined) return { status: 200, type: "image/png", body: Buffer.from(png) };
      if (await hasLabel(store, barcode))
        throw new ProblemError("not-found", `The label "${barcode}" has no picture yet.`);
      throw noLabel(barcode);
    },
  }),
];
