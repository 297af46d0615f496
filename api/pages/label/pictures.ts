import { ProblemError } from "../../http/problem-error.ts";
import type { Visit } from "../visit.ts";

/** The PNG of a label's current picture, and of the picture that is being sent; undefined if there is none. */
export interface LabelPictures {
  shown: Buffer | undefined;
  next: Buffer | undefined;
}

/** Reads both pictures of a label in the visit's store. */
export async function readPictures({ read, store }: Visit, barcode: string): Promise<LabelPictures> {
  const call = { storeId: store?.id ?? "", params: { barcode } };
  const pictureOf = (of: keyof LabelPictures) =>
    read<Buffer>("getLabelImage", { ...call, query: { of } }).catch(noneYet);
  const [shown, next] = await Promise.all([pictureOf("shown"), pictureOf("next")]);
  return { shown, next };
}

/** A picture that does not exist is left out; any other rejection applies to the page. */
function noneYet(error: unknown): undefined {
  if (!(error instanceof ProblemError && error.problem === "not-found")) throw error;
}

/** Returns the address of a picture that was read; a different picture has a different address. */
export const addressOf = ({ storeBase }: Visit, barcode: string, of: keyof LabelPictures, picture: Buffer): string =>
  `${storeBase}/labels/${encodeURIComponent(barcode)}/image?of=${of}&v=${tagOf(picture)}`;

/** Returns the size of a PNG in pixels, from its header. */
export const sizeOf = (png: Buffer): { width: number; height: number } => ({
  width: png.readUInt32BE(16),
  height: png.readUInt32BE(20),
});

/** Returns the length of a PNG and the checksums at the end of its pixels. */
const tagOf = (png: Buffer): string => `${png.length}-${png.subarray(-20, -12).toString("hex")}`;
