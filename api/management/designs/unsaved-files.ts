import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { AssetAnswer, Decoding } from "../../../drawing/decoding/decoding.ts";
import type { LoadedFile, NamedFile, NamedFontFile } from "../../../drawing/thread/drawing-order.ts";
import type { AssetType } from "../../../schemas/asset.ts";
import { imageFileKey, uploadKey } from "../../../schemas/keys.ts";
import type { PreviewFiles } from "../../../schemas/preview-files.ts";
import { FileFault } from "../../body/refuse-file.ts";
import { checkInThread } from "../../images/checked-in-thread.ts";
import { assertFaultless } from "../find-records.ts";

/** A preview's images and fonts by name, and the files that are not stored. */
export interface UnsavedFiles {
  images: ReadonlyMap<string, NamedFile>;
  fonts: ReadonlyMap<string, NamedFontFile>;
  files: readonly LoadedFile[];
}

export const noFiles: UnsavedFiles = { images: new Map(), fonts: new Map(), files: [] };

/** Maximum number of decoded files kept; they are kept because an editor sends the same ones with each change. */
const MAX_KEPT = 20;

/** Checks and decodes the files that calls send for previews, in the same way as stored files. Throws `invalid-request`. */
export function createUnsavedFiles(decodeAsset: Decoding["decodeAsset"]) {
  const kept = new LRUCache<string, AssetAnswer>({ max: MAX_KEPT });

  async function decoded(type: AssetType, file: Buffer, hash: string, pointer: string): Promise<AssetAnswer> {
    const before = kept.get(`${type} ${hash}`);
    if (before) return before;
    const { mediaType } = await checkInThread(type, file).catch((error: unknown) => {
      if (error instanceof FileFault) assertFaultless([{ pointer, detail: `the ${type} ${error.message}` }]);
      throw error;
    });
    const answer = await decodeAsset({ file, mediaType });
    kept.set(`${type} ${hash}`, answer);
    return answer;
  }

  async function read(type: AssetType, pieces: readonly string[], pointer: string) {
    const file = Buffer.concat(pieces.map((piece) => Buffer.from(piece, "base64")));
    const hash = createHash("sha256").update(file).digest("hex");
    return { file, hash, answer: await decoded(type, file, hash, pointer) };
  }

  return async (tenant: string, { images = [], fonts = [] }: PreviewFiles): Promise<UnsavedFiles> => {
    const files: LoadedFile[] = [];
    const namedImages = new Map<string, NamedFile>();
    const namedFonts = new Map<string, NamedFontFile>();
    for (const [index, { name, file: pieces }] of images.entries()) {
      const { answer } = await read("image", pieces, `/images/${index}/file`);
      if ("image" in answer) {
        const key = imageFileKey(tenant, answer.image.sha256);
        files.push({ key, content: answer.image.png });
        namedImages.set(name, { file: key });
      } else namedImages.set(name, { fault: faultOf(answer) });
    }
    for (const [index, { name, file: pieces }] of fonts.entries()) {
      const { answer, file, hash } = await read("font", pieces, `/fonts/${index}/file`);
      if ("font" in answer) {
        const key = uploadKey(tenant, hash);
        files.push({ key, content: file });
        namedFonts.set(name, { file: key, ...answer.font });
      } else namedFonts.set(name, { fault: faultOf(answer) });
    }
    return { images: namedImages, fonts: namedFonts, files };
  };
}

const faultOf = (answer: AssetAnswer): string =>
  `it cannot be decoded: ${"failed" in answer ? answer.failed : "it is of a different kind"}`;
