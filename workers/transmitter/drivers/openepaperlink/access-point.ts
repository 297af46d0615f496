import { Agent, FormData, fetch, type Response } from "undici";
import { readBounded } from "../../../../runtime/read-bounded.ts";
import type { Rgb } from "../../../../schemas/color.ts";
import { comparableMac } from "../../../../schemas/mac.ts";
import { readTags, type Tag } from "./messages.ts";
import type { TagType } from "./tag-picture.ts";

/** Time limits in milliseconds. */
const UPLOAD_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS = 10_000;
/** Positions have 8 bits: an access point with more than 256 tags lists the first tags again and again. */
const LAST_POSITION = 255;
/** Maximum size of a response. A page of tags takes about 5 kB, so a longer response comes from something else. */
export const MAX_RESPONSE_BYTES = 262_144;
/** Statuses of an access point, or of a proxy in front of it, that mean "try again later". */
export const BUSY_STATUSES: ReadonlySet<number> = new Set([409, 429, 500, 502, 503, 504]);
/** No dithering: each pixel becomes the nearest colour. */
const NO_DITHER = "0";

/** The calls to an access point. Each throws if there is no response. */
export interface AccessPoint {
  /** Uploads a picture; returns the response's status and text. */
  upload(device: string, jpeg: Uint8Array): Promise<{ status: number; text: string }>;
  /** Reads the tag with this address; undefined if the access point does not know it. */
  readTag(device: string): Promise<Tag | undefined>;
  /** Reads the tags that can be listed: if there are more than 256, some are missing. */
  readTags(): Promise<Tag[]>;
  /** Reads a tag type; undefined if the access point does not know it. */
  readTagType(hardwareType: number): Promise<TagType | undefined>;
  flash(device: string, pattern: string): Promise<number>;
  close(): Promise<void>;
}

export function accessPointAt(url: string): AccessPoint {
  const base = url.endsWith("/") ? url : `${url}/`;
  // One connection per call: access points close idle connections, even at the moment of the next call.
  const dispatcher = new Agent({ pipelining: 0 });
  const types = new Map<number, TagType>();
  const get = (path: string) =>
    fetch(new URL(path, base), { dispatcher, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });

  async function readJson(path: string): Promise<Record<string, unknown>> {
    const { status, json } = await findJson(path);
    if (json === undefined) throw new Error(`GET /${path} returned status ${status}`);
    return json;
  }

  /** Returns the response's status and JSON, or only the status of a final refusal, which another call would not change. */
  async function findJson(path: string): Promise<{ status: number; json?: Record<string, unknown> }> {
    const answer = await get(path);
    const { status } = answer;
    const text = await readText(answer);
    if (answer.ok) return { status, json: JSON.parse(text) as Record<string, unknown> };
    const isRefused = status >= 400 && status < 500 && !BUSY_STATUSES.has(status);
    if (isRefused) return { status };
    throw new Error(`GET /${path} returned status ${status}`);
  }

  const tagsOf = ({ tags }: Record<string, unknown>) => readTags(Array.isArray(tags) ? tags : []);

  return {
    async upload(device, jpeg) {
      const form = new FormData();
      // The access point reads the address before the picture.
      form.append("mac", device);
      form.append("dither", NO_DITHER);
      form.append("image", new Blob([new Uint8Array(jpeg)], { type: "image/jpeg" }), "picture.jpg");
      const signal = AbortSignal.timeout(UPLOAD_TIMEOUT_MS);
      const answer = await fetch(new URL("imgupload", base), { dispatcher, method: "POST", body: form, signal });
      return { status: answer.status, text: await readText(answer) };
    },

    async readTag(device) {
      const tags = tagsOf(await readJson(`get_db?mac=${device}`));
      return tags.find(({ mac }) => mac === comparableMac(device));
    },

    async readTags() {
      const found = new Map<string, Tag>();
      let position = 0;
      while (position <= LAST_POSITION) {
        const page = await readJson(position === 0 ? "get_db" : `get_db?pos=${position}`);
        for (const tag of tagsOf(page)) found.set(tag.mac, tag);
        const next = Number(page.continu ?? 0);
        if (!(next > position)) break;
        position = next;
      }
      return [...found.values()];
    },

    async readTagType(hardwareType) {
      const known = types.get(hardwareType);
      if (known) return known;
      const { json } = await findJson(`tagtypes/${typeId(hardwareType)}.json`);
      if (json === undefined) return undefined;
      const { name, width, height, colortable } = json;
      const colors = (colortable ?? {}) as Record<string, Rgb>;
      const type = { name: String(name), width: Number(width), height: Number(height), colors };
      types.set(hardwareType, type);
      return type;
    },

    async flash(device, pattern) {
      const answer = await get(`led_flash?mac=${device}&pattern=${pattern}`);
      await readText(answer);
      return answer.status;
    },
    close: () => dispatcher.close(),
  };
}

/** Returns a hardware type as access points write it: 1 as "01". */
export const typeId = (hardwareType: number): string => hardwareType.toString(16).toUpperCase().padStart(2, "0");

async function readText({ body, url }: Response): Promise<string> {
  const text = await readBounded(body, MAX_RESPONSE_BYTES);
  if (text === undefined)
    throw new Error(`the response to ${new URL(url).pathname} is longer than ${MAX_RESPONSE_BYTES} bytes`);
  return text.toString();
}
