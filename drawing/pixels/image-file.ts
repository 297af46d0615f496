import { createHash } from "node:crypto";
import type { ImageFile } from "../../schemas/image-file.ts";
import type { Framebuffer } from "./framebuffer.ts";
import { encodePng } from "./png.ts";

/** Creates the stored file of a picture: its PNG, named by the SHA-256 of its size, palette and pixels. */
export function imageFileOf(picture: Framebuffer): ImageFile {
  const { width, height, palette, pixels } = picture;
  const sha256 = createHash("sha256")
    .update(`${width}x${height} ${palette.join(" ")}\n`)
    .update(pixels)
    .digest("hex");
  return { sha256, png: encodePng(picture), width, height };
}
