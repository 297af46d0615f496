import { crc32 } from "node:zlib";

/** The signature of every PNG (W3C PNG, third edition, section 5.2). */
export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Overhead of a chunk: its length and type before its content, and its checksum after it (section 5.3). */
const HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;

export interface PngChunk {
  type: string;
  content: Buffer;
}

/** Thrown if a PNG is incomplete. The message explains why, and may be shown. */
export class PngError extends Error {
  override readonly name = "PngError";
}

/** Yields the chunks after the signature, up to the last one. Each is complete and unchanged. */
export function* readPngChunks(png: Buffer): Generator<PngChunk> {
  for (let at = PNG_SIGNATURE.length; at < png.length; ) {
    if (at + HEAD_BYTES > png.length) throw new PngError("is truncated");
    const content = at + HEAD_BYTES;
    const end = content + png.readUInt32BE(at);
    if (end + CHECKSUM_BYTES > png.length) throw new PngError("is truncated");
    const type = png.toString("latin1", at + 4, content);
    if (crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) throw new PngError("is damaged");
    yield { type, content: png.subarray(content, end) };
    if (type === "IEND") return;
    at = end + CHECKSUM_BYTES;
  }
}

export function writePngChunk(type: string, content: Uint8Array): Buffer {
  const end = HEAD_BYTES + content.length;
  const bytes = Buffer.alloc(end + CHECKSUM_BYTES);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(content, HEAD_BYTES);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, end)), end);
  return bytes;
}
