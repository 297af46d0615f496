import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { PictureOf } from "../label-image.ts";

/** A label's picture that may be read without a token until it `expires`, in whole seconds since 1970. */
export interface LinkedPicture {
  store: string;
  barcode: string;
  of: PictureOf;
  expires: number;
}

/** Creates and verifies links to pictures that the installation signs. */
export interface PictureLinks {
  /** Returns the path and query for a picture. */
  pathOf(picture: LinkedPicture): string;
  isSigned(picture: LinkedPicture, signature: string): boolean;
}

/**
 * Creates links with a key that is derived from the token secret, so that a link becomes invalid when that secret is
 * replaced. Links signed with the other secret are accepted for as long as it is configured
 * (docs/operations/replace-secrets.md).
 */
export function createPictureLinks(secret: string, otherSecret: string | undefined, basePath: string): PictureLinks {
  const [key, ...otherKeys] = [secret, ...(otherSecret === undefined ? [] : [otherSecret])].map(keyOf);
  return {
    pathOf(picture) {
      const { store, barcode, of, expires } = picture;
      const query = new URLSearchParams({
        ...{ of, expires: String(expires) },
        signature: signatureOf(key as Buffer, picture).toString("base64url"),
      });
      return `${basePath}/${store}/api/label-pictures/${encodeURIComponent(barcode)}?${query}`;
    },
    isSigned(picture, signature) {
      const given = Buffer.from(signature, "base64url");
      return [key as Buffer, ...otherKeys].some((one) => {
        const expected = signatureOf(one, picture);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}

const KEY_BYTES = 32;
const keyOf = (secret: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", "shelfwire picture link", KEY_BYTES));

/** Signs all parts as one JSON array, so that two different pictures never produce the same text. */
const signatureOf = (key: Buffer, { store, barcode, of, expires }: LinkedPicture): Buffer =>
  createHmac("sha256", key)
    .update(JSON.stringify([store, barcode, of, expires]))
    .digest();
