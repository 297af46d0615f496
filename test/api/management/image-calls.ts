import { Jimp } from "jimp";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import type { Served } from "../../harness/served.ts";

/** Returns a PNG of one colour, such as 0xff0000ff. */
export const pngOf = (color: number, width = 40, height = 20): Promise<Buffer> =>
  new Jimp({ width, height, color }).getBuffer("image/png");

type Put = (shelfwire: Served, name: string, file: Uint8Array, headers?: Record<string, string>) => Promise<Response>;

/** Sends an image or a font of the demo tenant as a form in a browser would. */
export const putImage: Put = (...call) => putAsset("images", "imageFile", ...call);
export const putFont: Put = (...call) => putAsset("fonts", "fontFile", ...call);

async function putAsset(kind: string, field: string, ...[{ origin, token }, name, file, headers]: Parameters<Put>) {
  const body = new FormData();
  body.append(field, new Blob([Uint8Array.from(file)]), "file");
  const authorization = `Bearer ${await token()}`;
  const address = `${origin}/t/${TENANT_ID}/api/management/v1/${kind}/${name}`;
  return fetch(address, { method: "PUT", headers: { authorization, ...headers }, body });
}
