import { setTimeout } from "node:timers/promises";
import { barcodeFor } from "../../../scripts/operate/import/label-rows.ts";
import type { HostileSend, Target } from "../http/hostile/hostile-sends.ts";
import { type HostileImage, hostileRasters, hostileSvgs } from "./hostile-images.ts";

const POLL_INTERVAL_MS = 50;
/** Far longer than any image takes to decode on a busy machine. An image with no outcome by then ends the run with its name. */
const OUTCOME_WITHIN_MS = 120_000;
const FIELD = "imageFile";

/** Uploads an image; returns the response's status and body. */
async function upload(method: string, address: string, { mediaType, make }: HostileImage, token: string) {
  const form = new FormData();
  form.set(FIELD, new Blob([new Uint8Array(make())], { type: mediaType }), "f");
  const answer = await fetch(address, { method, headers: { authorization: `Bearer ${token}` }, body: form });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function patch(address: string, row: object, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(address, { method: "PATCH", headers, body: JSON.stringify([row]) });
  if (answer.status !== 202) throw new Error(`${address} returned ${answer.status}: ${await answer.text()}`);
}

async function read(address: string, token: string): Promise<unknown> {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  return answer.json();
}

/** Polls until `isOver`; throws if it takes longer than any image may. */
async function until(what: string, isOver: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + OUTCOME_WITHIN_MS;
  while (!(await isOver())) {
    if (performance.now() > end) throw new Error(`${what} has no outcome within ${OUTCOME_WITHIN_MS / 1000} s`);
    await setTimeout(POLL_INTERVAL_MS);
  }
}

/** Uploads an image for designs, and waits until it is decoded or refused. */
async function sendForDesigns(image: HostileImage, { manage, token }: Target): Promise<number[]> {
  const { status } = await upload("PUT", `${manage}/images/hostile`, image, token);
  if (status !== 200) return [status];
  await until(image.name, async () => {
    const listed = (await read(`${manage}/images`, token)) as { name: string; isReady: boolean; fault: unknown }[];
    const own = listed.find(({ name }) => name === "hostile");
    return Boolean(own?.isReady || own?.fault);
  });
  return [status];
}

/**
 * Uploads an image for a page, and waits until it is drawn or refused. It has the size of a label that shows the item, since it
 * would not be decoded otherwise.
 */
async function sendForPage(image: HostileImage, { base, token }: Target): Promise<number[]> {
  await patch(`${base}/items`, { itemId: "hostile", price: "1.00" }, token);
  const links = [{ itemId: "hostile", displayPosition: 0 }];
  await patch(`${base}/labels`, { barcode: barcodeFor("hostile", "1660"), links }, token);
  const { status, body } = await upload("POST", `${base}/items/hostile/page/0?resize=1`, image, token);
  if (status !== 202) return [status];
  await until(image.name, async () => {
    const { status: state } = (await read(`${base}/items-result/${body.requestId}`, token)) as { status: string };
    return state === "COMPLETED";
  });
  return [status];
}

const isForDesigns = ({ mediaType }: HostileImage): boolean => !["image/gif", "image/bmp"].includes(mediaType);

/** Every hostile image in turn, in both places that accept images. */
export const hostileUploads: readonly HostileSend[] = [
  ...hostileRasters(4096).map((image) => ({
    name: `an image of a page with ${image.name}`,
    send: (target: Target) => sendForPage(image, target),
  })),
  ...[...hostileRasters(2048).filter(isForDesigns), ...hostileSvgs].map((image) => ({
    name: `an image for designs with ${image.name}`,
    send: (target: Target) => sendForDesigns(image, target),
  })),
];
