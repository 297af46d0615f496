import { Jimp } from "jimp";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import type { Served } from "../../harness/served.ts";

/** A PNG of one colour, such as 0xff0000ff. */
export const pngOf = (color: number, width = 40, height = 20): Promise<Buffer> =>
  new Jimp({ width, height, color }).getBuffer("image/png");

/** Puts an image of the demo tenant, as a form in a browser would. */
export async function putImage(
  { origin, token }: Served,
  name: string,
  file: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new FormData();
  body.append("imageFile", new Blob([Uint8Array.from(file)]), "file");
  const authorization = `Bearer ${await token()}`;
  const address = `${origin}/t/${TENANT_ID}/api/management/v1/images/${name}`;
  return fetch(address, { method: "PUT", headers: { authorization, ...headers }, body });
}
