import type { TSchema } from "typebox";
import { bodyLimits } from "../../../api/body/body-limits.ts";
import { MAX_ATTRIBUTES, MAX_ELEMENTS } from "../../../api/images/svg-tags.ts";
import { linkSeconds } from "../../../api/labels/picture-links/image-link.ts";
import { MAX_HEADERS_BYTES } from "../../../api/middleware/check-headers.ts";
import { createRoutes, type RoutesWorld } from "../../../api/routes.ts";
import { MAX_HEAD_BYTES, MAX_HEADER_COUNT, serverLimits } from "../../../api/server.ts";
import { MAX_BATCHES } from "../../../records/outbox/report-inbox.ts";
import { fontLimits, imageLimits } from "../../../schemas/asset.ts";
import { defaultOf } from "../../../schemas/environment.ts";
import { MAX_FAULTS } from "../../../schemas/validate.ts";
import { fileLimits } from "../../operate/watch/apply-file.ts";
import { bytes, count, perSecond, seconds } from "./amounts.ts";
import { type Bound, BUSY, INVALID, MALFORMED, TOO_LARGE, TOO_MANY_CALLS } from "./outcomes.ts";

const MOVED_ASIDE = "the file is moved to `failed/` with the reason";

/** Returns the limits on what a call may contain, and on how many calls there may be. */
export const ofCalls = (): readonly Bound[] => [
  ["calls of a token's subject", perSecond("RATE_LIMIT"), TOO_MANY_CALLS],
  ["calls of a subject in a burst after a pause", `${count(defaultOf("RATE_BURST"))} (\`RATE_BURST\`)`, TOO_MANY_CALLS],
  ["calls of all tokens of a tenant", perSecond("TENANT_RATE_LIMIT"), TOO_MANY_CALLS],
  ["calls of an address without a good token", perSecond("ADDRESS_RATE_LIMIT"), TOO_MANY_CALLS],
  ["address and headers of a call", bytes(MAX_HEAD_BYTES), "431, the connection is ended"],
  ["headers of a call without its address", bytes(MAX_HEADERS_BYTES), "431 `headers-too-large`"],
  ["headers of a call", count(MAX_HEADER_COUNT), "431, the connection is ended"],
  ["time to send the headers", seconds(serverLimits.headers), "408, the connection is ended"],
  ["time to send a whole call", seconds(serverLimits.request), "408, the connection is ended"],
  ["JSON body, unpacked", bytes(bodyLimits.json.maxBytes), TOO_LARGE],
  ["bodies that a process handles at a time, unpacked, with 16 bytes a value", bytes(bodyLimits.inWork.total), BUSY],
  ["those of one tenant", `${bytes(bodyLimits.inWork.share)}, and no more than they leave free`, BUSY],
  ["nesting of a JSON body", `${count(bodyLimits.json.maxDepth)} levels`, MALFORMED],
  ["values of a JSON body", count(bodyLimits.json.maxValues), INVALID],
  ["elements of a list", count(bodyLimits.json.maxElements), INVALID],
  ["fields of an object", count(bodyLimits.json.maxFields), INVALID],
  ["a string or number as written", bytes(bodyLimits.json.maxTextBytes), INVALID],
  ["values of a row, or of a body that is not a list", count(bodyLimits.json.maxRowValues), INVALID],
  ["a row, or a body that is not a list", bytes(bodyLimits.json.maxRowBytes), INVALID],
  ["faults listed in an error response", count(MAX_FAULTS), "the first of them are listed"],
  ["uploaded image", bytes(bodyLimits.upload.maxBytes), TOO_LARGE],
  ["width and height of an uploaded image", `${count(bodyLimits.upload.maxSide)} pixels`, INVALID],
  [
    "image of a tenant's designs; as an SVG",
    `${bytes(imageLimits.maxBytes)}; ${bytes(imageLimits.maxSvgBytes)}`,
    TOO_LARGE,
  ],
  ["its width and height, unless it is an SVG", `${count(imageLimits.maxSide)} pixels`, INVALID],
  ["elements of an SVG; attributes of each", `${count(MAX_ELEMENTS)}; ${count(MAX_ATTRIBUTES)}`, INVALID],
  ["font of a tenant's designs", bytes(fontLimits.maxBytes), TOO_LARGE],
  ["its glyphs; its tables", `${count(fontLimits.maxGlyphs)}; ${count(fontLimits.maxTables)}`, INVALID],
  ["parts in a composite glyph, including nested parts", count(fontLimits.maxParts), INVALID],
  ["its tables of characters, names and shaping, each", bytes(fontLimits.maxTableBytes), INVALID],
  [
    "bytes of a tenant's uploads",
    `${bytes(bodyLimits.upload.rate.perSecond)} a second; ${bytes(bodyLimits.upload.rate.burst)} at once after a pause`,
    TOO_MANY_CALLS,
  ],
  ["time to send an upload", seconds(bodyLimits.upload.timeoutMs), "408 `request-timeout`"],
  ["time for which a link to a picture is valid", `${count(linkSeconds.most / 86_400)} days`, INVALID],
  [
    "price file in a watched folder; a workbook",
    `${bytes(fileLimits.maxBytes)}; ${bytes(fileLimits.maxWorkbookBytes)}`,
    MOVED_ASIDE,
  ],
  ["its rows", count(fileLimits.maxRows), MOVED_ASIDE],
  ["reports of a label server in one call", bytes(bodyLimits.reports.maxBytes), TOO_LARGE],
  ["calls with reports that wait", count(MAX_BATCHES), "503; the label server repeats them"],
];

/** Returns the bounds of bodies that are lists, and of the lists directly in bodies, from the operations' schemas. */
export function ofLists(): Bound[] {
  const routes = createRoutes({ linkSingle: {}, management: {} } as RoutesWorld);
  return routes.flatMap(({ method, of, path, body }): Bound[] => {
    const where = `\`${method} ${of === "tenant" ? "management" : ""}${path}\``;
    const lists = body === undefined ? [] : [["", body] as const, ...Object.entries(propertiesOf(body))];
    return lists.flatMap(([name, schema]): Bound[] => {
      const { maxItems } = schema as { maxItems?: number };
      return maxItems === undefined ? [] : [[`${name ? `\`${name}\`` : "rows"} of ${where}`, count(maxItems), INVALID]];
    });
  });
}

const propertiesOf = (schema: TSchema): Record<string, TSchema> =>
  (schema as { properties?: Record<string, TSchema> }).properties ?? {};
