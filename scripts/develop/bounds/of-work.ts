import { conflictLimits } from "../../../api/campaigns/find-conflicts.ts";
import { MAX_PREVIEWS_WAITING } from "../../../api/management/designs/draw-preview.ts";
import { MAX_PREVIEW_PIXELS } from "../../../api/management/designs/previews.ts";
import { MAX_COUNTS_WAITING, replacementLimits } from "../../../api/management/replacement/count-worse.ts";
import { limits as expression } from "../../../domain/expression/limits.ts";
import { MAX_DEPTH, MAX_SCENARIOS } from "../../../domain/packs/pack-limits.ts";
import { PAINTING_STEPS } from "../../../drawing/canvas/painting-steps.ts";
import { decodingBounds, previewDecodingBounds } from "../../../drawing/decoding/decoding-bounds.ts";
import { MAX_WAITING } from "../../../drawing/expressions/expressions.ts";
import { MAX_ARGUMENT } from "../../../drawing/values/format-functions.ts";
import { canvasLimits } from "../../../schemas/canvas-parts.ts";
import { count, seconds } from "./amounts.ts";
import { type Bound, INVALID, TOO_MUCH_WAITS } from "./outcomes.ts";

/** Returns the limits on what computing may cost. */
export const ofWork = (): readonly Bound[] => [
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
  ["faulty expressions of a pack or canvas", count(expression.faults), "the others are not checked"],
  ["text that a design's function accepts", `${count(MAX_ARGUMENT)} characters`, "the expression has no value"],
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
  [
    "items of other campaigns that are compared for the conflicts of one",
    count(conflictLimits.compared),
    "the conflicts are bounded, and say so",
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
    "memory, and processor time, to decode a file for designs in the API",
    `${count(previewDecodingBounds.residentMb)} MB; ${seconds(previewDecodingBounds.processorMs)}`,
    "the preview or the count has a fault in its place",
  ],
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
