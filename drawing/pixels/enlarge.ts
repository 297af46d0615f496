import type { Framebuffer } from "./framebuffer.ts";

/** Enlarges a picture. Each pixel becomes `scale` x `scale` pixels. */
export function enlarge({ width, height, palette, pixels }: Framebuffer, scale: number): Framebuffer {
  const large = new Uint8Array(width * scale * height * scale);
  for (let y = 0; y < height * scale; y += 1) {
    const row = Math.floor(y / scale) * width;
    for (let x = 0; x < width * scale; x += 1)
      large[y * width * scale + x] = pixels[row + Math.floor(x / scale)] as number;
  }
  return { width: width * scale, height: height * scale, palette, pixels: large };
}
