import { readFile, writeFile } from "node:fs/promises";
import type { TSchema } from "typebox";
import { MAX_KEYS_BYTES } from "../../api/access/issuer-keys.ts";
import { bodyLimits } from "../../api/body/body-limits.ts";
import { MAX_ATTRIBUTES, MAX_ELEMENTS } from "../../api/images/svg-tags.ts";
import { MAX_PREVIEW_PIXELS, MAX_PREVIEWS_WAITING } from "../../api/management/designs/previews.ts";
import { MAX_COUNTS_WAITING, replacementLimits } from "../../api/management/replacement/count-worse.ts";
import { MAX_TAILS } from "../../api/management/subscriptions/tails.ts";
import { waitingOfTail } from "../../api/management/subscriptions/text-queue.ts";
import { MAX_HEADERS_BYTES } from "../../api/middleware/check-headers.ts";
import { createRoutes, type RoutesWorld } from "../../api/routes.ts";
import { MAX_HEAD_BYTES, MAX_HEADER_COUNT, serverLimits } from "../../api/server.ts";
import { limits as expression } from "../../domain/expression/limits.ts";
import { MAX_ITEM_BYTES } from "../../domain/items/item-size.ts";
import { MAX_SAMPLES } from "../../domain/labels/note-voltage.ts";
import { MAX_LINKS_OF_ITEM } from "../../domain/linking/enter-links.ts";
import { MAX_DEPTH, MAX_SCENARIOS } from "../../domain/packs/pack-limits.ts";
import { PAINTING_STEPS } from "../../drawing/canvas/painting-steps.ts";
import { decodingBounds } from "../../drawing/decoding/decoding-bounds.ts";
import { MAX_WAITING } from "../../drawing/expressions/expressions.ts";
import { MAX_ARGUMENT } from "../../drawing/values/format-functions.ts";
import { MAX_BATCHES } from "../../records/outbox/report-inbox.ts";
import { MAX_BYTES as MAX_SCHEDULE_BYTES, MAX_UPDATES } from "../../records/requests/scheduled-updates.ts";
import { fontLimits, imageLimits } from "../../schemas/asset.ts";
import { canvasLimits } from "../../schemas/canvas-parts.ts";
import { REFRESH_DAYS } from "../../schemas/care.ts";
import { defaultOf } from "../../schemas/environment.ts";
import { MAX_LABELS_OF_STEP, MAX_RUNNING } from "../../schemas/flash-sequence.ts";
import { PAIRS } from "../../schemas/link-record.ts";
import { platformLimits, tenantLimits } from "../../schemas/tenant-limits.ts";
import { MAX_FAULTS } from "../../schemas/validate.ts";
import { MAX_ANSWER_BYTES as MAX_RECEIVER_BYTES } from "../../workers/notifier/call-receiver.ts";
import { GIVE_UP_AFTER_MS } from "../../workers/notifier/retry.ts";
import { MAX_REST_MS } from "../../workers/transmitter/air/pace.ts";
import { MAX_ANSWER_BYTES } from "../../workers/transmitter/drivers/http.ts";
import { MAX_REPORTS_BYTES } from "../../workers/transmitter/drivers/mqtt/messages.ts";
import { MAX_RESPONSE_BYTES } from "../../workers/transmitter/drivers/openepaperlink/access-point.ts";
import { MAX_TAGS } from "../../workers/transmitter/drivers/openepaperlink/seen-tags.ts";
import { MAX_HELD } from "../../workers/transmitter/sending/lane.ts";
import { bytes, count, perSecond, seconds } from "./bounds/amounts.ts";
import { readCommandLine } from "./command-line.ts";

/** `npm run bounds`: writes the table of bounds in docs/bounds.md; a test fails when it drifts. */
const file = new URL("../../docs/bounds.md", import.meta.url);

/** A limit: what is limited, its value, and what a caller gets beyond it. */
export type Bound = readonly [what: string, most: string, beyond: string];

const INVALID = "400 `invalid-request`";
const TOO_LARGE = "413 `body-too-large`";
const TOO_MANY_CALLS = "429 `too-many-requests`, `Retry-After`";
const TOO_MUCH_WAITS = "429 `too-much-waiting`, `Retry-After`";
const BUSY = "503 `busy`, `Retry-After`";
const REMOVE_FIRST = "409 `conflict`: one must be removed first";

/** Every limit, in the order in which a call meets them: sent, waiting, stored, computed, sent on. */
export const bounds = (): readonly Bound[] => [...ofCalls(), ...ofLists(), ...ofTenants(), ...ofWork(), ...ofEvents()];

const ofCalls = (): readonly Bound[] => [
  ["calls of a token's subject", perSecond("RATE_LIMIT"), TOO_MANY_CALLS],
  ["calls of a subject in a burst after a pause", `${count(defaultOf("RATE_BURST"))} (\`RATE_BURST\`)`, TOO_MANY_CALLS],
  ["calls of all tokens of a tenant", perSecond("TENANT_RATE_LIMIT"), TOO_MANY_CALLS],
  ["calls of an address without a good token", perSecond("ADDRESS_RATE_LIMIT"), TOO_MANY_CALLS],
  ["address and headers of a call", bytes(MAX_HEAD_BYTES), "431, the connection is ended"],
  ["headers of a call alone", bytes(MAX_HEADERS_BYTES), "431 `headers-too-large`"],
  ["headers of a call", count(MAX_HEADER_COUNT), "431, the connection is ended"],
  ["time to send the headers", seconds(serverLimits.headers), "408, the connection is ended"],
  ["time to send a whole call", seconds(serverLimits.request), "408, the connection is ended"],
  ["JSON body, unpacked", bytes(bodyLimits.json.maxBytes), TOO_LARGE],
  ["bodies that a process works on, unpacked, with 16 bytes a value", bytes(bodyLimits.inWork.total), BUSY],
  ["those of one tenant", `${bytes(bodyLimits.inWork.share)}, and no more than they leave free`, BUSY],
  ["nesting of a JSON body", `${count(bodyLimits.json.maxDepth)} levels`, INVALID],
  ["values of a JSON body", count(bodyLimits.json.maxValues), INVALID],
  ["elements of a list", count(bodyLimits.json.maxElements), INVALID],
  ["fields of an object", count(bodyLimits.json.maxFields), INVALID],
  ["a text or number as it is written", bytes(bodyLimits.json.maxTextBytes), INVALID],
  ["values of a row, or of a body that is not a list", count(bodyLimits.json.maxRowValues), INVALID],
  ["a row, or a body that is not a list", bytes(bodyLimits.json.maxRowBytes), INVALID],
  ["faults that a refusal lists", count(MAX_FAULTS), "the first of them are listed"],
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
  ["reports of a label server in one call", bytes(bodyLimits.reports.maxBytes), TOO_LARGE],
  ["calls with reports that wait", count(MAX_BATCHES), "503; the label server repeats them"],
];

/** The bounds of bodies that are lists, and of the lists directly in bodies, from the operations' schemas. */
function ofLists(): Bound[] {
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

const ofTenants = (): readonly Bound[] => [
  [
    "days of refreshes that a label keeps; voltages of its battery",
    `${REFRESH_DAYS}; ${MAX_SAMPLES}`,
    "the oldest are dropped",
  ],
  ["tags of an access point that are listed", count(MAX_TAGS), "the latest are kept"],
  ["rows of a tenant that wait to be applied", count(tenantLimits.rowsInFlight), TOO_MUCH_WAITS],
  ["parts of its requests (1,000 rows or fewer) that wait", count(tenantLimits.chunksInFlight), TOO_MUCH_WAITS],
  ["uploads of a tenant that wait to be drawn", count(bodyLimits.upload.maxWaiting), TOO_MUCH_WAITS],
  ["pixels of these uploads", count(bodyLimits.upload.maxPixelsWaiting), TOO_MUCH_WAITS],
  ["stored uploads of a tenant", count(tenantLimits.uploads), TOO_MUCH_WAITS],
  ["bytes of these uploads", count(tenantLimits.uploadBytes), TOO_MUCH_WAITS],
  ["open tails of a tenant, in each process", count(tenantLimits.tails), TOO_MUCH_WAITS],
  ["open tails of a process", count(MAX_TAILS), BUSY],
  [
    "texts that wait for a slow reader of a tail",
    `${count(waitingOfTail.texts)}; ${count(waitingOfTail.characters)} characters`,
    "the tail ends, and continues after its last event",
  ],
  [
    "events of a tenant that wait for subscribers",
    count(tenantLimits.deliveriesWaiting),
    "the subscription with most of them is stopped; its `test` returns 429",
  ],
  ["tenants of an installation", count(platformLimits.tenants), REMOVE_FIRST],
  ["stores of a tenant", count(tenantLimits.stores), REMOVE_FIRST],
  ["label types of a tenant", count(tenantLimits.labelTypes), REMOVE_FIRST],
  ["models of a tenant", count(tenantLimits.models), REMOVE_FIRST],
  ["label servers of a tenant", count(tenantLimits.labelServers), REMOVE_FIRST],
  ["designs of a tenant", count(tenantLimits.designs), REMOVE_FIRST],
  ["canvas designs of a tenant", count(tenantLimits.canvasDesigns), REMOVE_FIRST],
  ["images of a tenant's designs", count(tenantLimits.images), REMOVE_FIRST],
  ["fonts of a tenant's designs", count(tenantLimits.fonts), REMOVE_FIRST],
  ["communication packs of a tenant", count(tenantLimits.communicationPacks), REMOVE_FIRST],
  ["subscriptions of a tenant", count(tenantLimits.subscriptions), REMOVE_FIRST],
  ["API users of a tenant", count(tenantLimits.apiUsers), REMOVE_FIRST],
  ["an item as it is stored", bytes(MAX_ITEM_BYTES), "the row is `ERROR`"],
  ["links of an item in a store", count(MAX_LINKS_OF_ITEM), "the link's row is `ERROR`"],
  ["scheduled updates of an item", count(MAX_UPDATES), "the row is `ERROR`"],
  ["scheduled updates of an item, together", bytes(MAX_SCHEDULE_BYTES), "the row is `ERROR`"],
  ["flash sequences of a store that run", count(MAX_RUNNING), "409 `conflict`"],
  ["labels of an item in a step of a flash sequence", count(MAX_LABELS_OF_STEP), "the others do not flash"],
  ["pairs of a store and an item in `POST /links/bulk`", count(PAIRS), INVALID],
];

const ofWork = (): readonly Bound[] => [
  ["scenarios of a pack", count(MAX_SCENARIOS), INVALID],
  ["nesting of scenarios", count(MAX_DEPTH), INVALID],
  ["source of an expression", `${count(expression.source)} characters`, INVALID],
  ["parts of an expression; their nesting", `${count(expression.nodes)}; ${count(expression.depth)}`, INVALID],
  ["list or map written in an expression", `${count(expression.listElements)} elements`, INVALID],
  ["parts of all expressions of a pack or canvas", count(expression.nodesInAll), INVALID],
  [
    "instructions of all regular expressions of a pack or canvas, with classes of letters",
    count(expression.patternsInAll),
    INVALID,
  ],
  ["faulty expressions of a pack or canvas", count(expression.faults), "the others are not looked at"],
  ["text that a function of a design takes", `${count(MAX_ARGUMENT)} characters`, "the expression has no value"],
  [
    "checks and trials of a tenant that wait in a process; of all tenants (500 scenarios, or 20 elements, count for one)",
    `${count(MAX_WAITING.ofOwner)}; ${count(MAX_WAITING.inAll)}`,
    `${TOO_MUCH_WAITS}; 503 \`busy\` for all`,
  ],
  [
    "previews of a tenant that wait in a process; of all tenants",
    `${count(MAX_PREVIEWS_WAITING.ofOwner)}; ${count(MAX_PREVIEWS_WAITING.inAll)}`,
    `${TOO_MUCH_WAITS}; 503 \`busy\` for all`,
  ],
  [
    "counts of a tenant's replacements that wait in a process; of all tenants",
    `${count(MAX_COUNTS_WAITING.ofOwner)}; ${count(MAX_COUNTS_WAITING.inAll)}`,
    `${TOO_MUCH_WAITS}; 503 \`busy\` for all`,
  ],
  [
    "links that a replacement is counted on, compared on, and drawn on; time to draw them",
    `${count(replacementLimits.scanned)}; ${count(replacementLimits.compared)}; ${count(replacementLimits.drawn)}; ${replacementLimits.ms / 1000} s`,
    "the count is bounded, and says so",
  ],
  ["pixels of an enlarged preview", count(MAX_PREVIEW_PIXELS), INVALID],
  ["steps of one evaluation", count(expression.steps), "the expression fails; a scenario does not hold"],
  ["steps of a pack for one link", count(expression.packSteps), `${INVALID} when it is saved; it fails when it runs`],
  [
    "steps of a layout for one label",
    count(expression.layoutSteps),
    `${INVALID} when it is saved; it fails when it runs`,
  ],
  ["steps to paint a label", count(PAINTING_STEPS), `${INVALID} when the canvas is saved; a fault when it is painted`],
  [
    "memory to decode a file, or to draw an SVG or read a font",
    `${count(decodingBounds.residentMb)} MB; ${count(decodingBounds.wasmMb)} MB`,
    "the image or font has a fault",
  ],
  ["processor time to decode a file", seconds(decodingBounds.processorMs), "the image or font has a fault"],
  [
    "elements of a canvas; with its variants",
    `${count(canvasLimits.elements)}; ${count(canvasLimits.elementsInAll)}`,
    INVALID,
  ],
  [
    "nesting of groups of a canvas; repetitions of a group",
    `${count(canvasLimits.depth)}; ${count(canvasLimits.repetitions)}`,
    INVALID,
  ],
  ["variants of a canvas", count(canvasLimits.variants), INVALID],
  ["text of an element", `${count(canvasLimits.template)} characters`, INVALID],
  ["pixels of the images of a canvas", count(canvasLimits.imagePixels), INVALID],
];

const ofEvents = (): readonly Bound[] => [
  ["time in which an event is tried", `${count(GIVE_UP_AFTER_MS / 3_600_000)} h`, "it becomes a dead letter"],
  ["response of a receiver that is read", bytes(MAX_RECEIVER_BYTES), "the delivery counts as failed"],
  ["response of a label server that is read", bytes(MAX_ANSWER_BYTES), "its status counts, the rest is not read"],
  ["rest that a label server may ask for (`Retry-After`)", seconds(MAX_REST_MS), "one picture tries it all the same"],
  ["pictures that a transmitter holds", count(MAX_HELD), "each label server has only those begun that are sent now"],
  ["response of an access point that is read", bytes(MAX_RESPONSE_BYTES), "the call counts as failed"],
  ["message of reports of a gateway behind a broker", bytes(MAX_REPORTS_BYTES), "it is left out and logged"],
  ["keys of an issuer (`JWKS_URL`)", bytes(MAX_KEYS_BYTES), "as if the issuer were unreachable"],
  ["time a result is kept", `${count(defaultOf("RESULT_TTL"))} s (\`RESULT_TTL\`)`, "404"],
];

/** The document as it is stored. */
export const storedBounds = (): Promise<string> => readFile(file, "utf8");

/** Returns the document with a regenerated table of bounds. */
export function writeBounds(document: string): string {
  const [start, end] = ["<!-- bounds -->", "<!-- end -->"];
  const from = document.indexOf(start);
  const to = document.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/bounds.md has no part "${start}"`);
  const rows = [["what", "at most", "beyond it"], ["---", "---", "---"], ...bounds()];
  const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `${document.slice(0, from + start.length)}\n${table}\n${document.slice(to)}`;
}

if (import.meta.main) {
  readCommandLine("npm run bounds --", {
    arguments: [],
    means: "write the table of bounds of docs/bounds.md",
    options: {},
  });
  await writeFile(file, writeBounds(await storedBounds()));
}
