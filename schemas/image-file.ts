/** A picture, named by the SHA-256 of its pixels: a tenant stores identical pixels once. */
export interface ImageFile {
  sha256: string;
  png: Uint8Array;
  width: number;
  height: number;
}
