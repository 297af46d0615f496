import { BudgetError, type Variables } from "../../domain/expression/expression.ts";
import { itemVariables } from "../../domain/expression/variables.ts";
import type { DesignerLink } from "../../schemas/design.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import { type DrawingFault, faultOf } from "../../schemas/image.ts";
import type { Item } from "../../schemas/item.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { dpiOf } from "../../schemas/panels.ts";
import type { CompiledCanvas } from "../canvas/compile-canvas.ts";
import type { NamedFont } from "../canvas/faces.ts";
import type { Painted, Painter } from "../canvas/painter.ts";
import type { NamedImage } from "../canvas/painting.ts";
import type { Framebuffer } from "../pixels/framebuffer.ts";
import { DrawingError } from "../text/drawing-error.ts";
import type { Surroundings } from "./surroundings.ts";

/** The facts from which a link's picture is drawn. */
export interface RenderingFacts extends Surroundings {
  designerLink: DesignerLink;
  /** Reason why the link's design must not be drawn on the label. */
  designFault?: DrawingNotice;
  /** Undefined if the canvas does not exist; an error if the canvas does not compile. */
  canvas: CompiledCanvas | Error | undefined;
  images: ReadonlyMap<string, NamedImage>;
  fonts?: ReadonlyMap<string, NamedFont>;
}

export interface Rendering<Picture = Framebuffer> extends Pick<Painted<Picture>, "inspected"> {
  picture: Picture;
  /** Set for a segment label: the text that it shows. */
  text?: string;
  isEmpty: boolean;
  /** Whether an ECC model draws the link. Then this picture is bare. */
  isEcc?: boolean;
  fault?: DrawingFault;
  errors: readonly DrawingNotice[];
  warnings: readonly DrawingNotice[];
}

/**
 * Draws a link's picture. A link that is inactive, or whose item does not exist, is an empty position. If no design fits or
 * drawing fails, the label shows its background and the fault is recorded: a label never shows a stale price.
 */
export function renderLink<Picture>(painter: Painter<Picture>, facts: RenderingFacts): Rendering<Picture> {
  const { designerLink, item, labelType, designFault, canvas, images, fonts } = facts;
  const fail = (reason: DrawingFault["reason"], told: DrawingNotice) => bare(painter, labelType, faultOf(reason, told));
  if (designerLink.status !== "ACTIVE" || item === undefined) return bare(painter, labelType);
  if (designerLink.eccModelId !== undefined) return { ...bare(painter, labelType), isEcc: true };
  if (designerLink.fault !== undefined)
    return fail("DRAWING_FAILED", notice("RULES_TOO_LONG", { detail: designerLink.fault }));
  if (designerLink.design_id === null)
    return fail("NO_COMPATIBLE_DESIGN", whyNone[designerLink.unmatched ?? "no design"](labelType));
  if (designFault !== undefined) return fail("NO_COMPATIBLE_DESIGN", designFault);
  if (canvas === undefined) return fail("DRAWING_FAILED", notice("DESIGN_GONE", { design: designerLink.design_id }));
  if (canvas instanceof Error) return fail("DRAWING_FAILED", notice("DESIGN_INVALID", { detail: canvas.message }));
  return drawCanvas(painter, canvas, facts, variablesOf(facts, designerLink, item), { images, fonts });
}

/** Reason why a link has no design. */
const whyNone: Record<NonNullable<DesignerLink["unmatched"]> | "no design", (labelType: LabelType) => DrawingNotice> = {
  "no pack": () => notice("NO_PACK", {}),
  "no scenario": () => notice("NO_SCENARIO", {}),
  "no design": ({ type }) => notice("NO_DESIGN_FITS", { type }),
};

/** Returns the label's background, for an empty position or, if `fault` is set, for a position that could not be drawn. */
export function bare<Picture>(
  painter: Pick<Painter<Picture>, "blank">,
  labelType: LabelType,
  fault?: DrawingFault,
): Rendering<Picture> {
  return {
    picture: painter.blank(labelType),
    ...(labelType.display === "segment" && { text: "" }),
    isEmpty: fault === undefined,
    errors: [],
    warnings: [],
    ...(fault && { fault }),
  };
}

/** Draws a design on a label, as a picture or as segments. On an error, returns the background with a fault. */
export function drawCanvas<Picture>(
  painter: Painter<Picture>,
  canvas: CompiledCanvas,
  { labelType, store }: Surroundings,
  variables: Variables,
  { images = new Map(), fonts }: Partial<Pick<RenderingFacts, "images" | "fonts">> = {},
): Rendering<Picture> {
  try {
    return {
      ...painter.paint(canvas, { labelType, store, images, ...(fonts && { fonts }), variables }),
      isEmpty: false,
    };
  } catch (error) {
    // No error is worth a retry: the result depends only on these facts, so another attempt would fail in the same way.
    return bare(painter, labelType, faultOfError(error as Error));
  }
}

function faultOfError(error: Error): DrawingFault {
  if (error instanceof DrawingError) return faultOf("DRAWING_FAILED", error.notice);
  if (error instanceof BudgetError)
    return faultOf("DRAWING_FAILED", notice("DRAWING_TOO_LONG", { detail: error.message }));
  return { reason: "DRAWING_FAILED", detail: error.message };
}

/** Returns the maps that a design's expressions may read. */
export function variablesOf(
  { displayPosition, labelType, store }: Surroundings,
  { facings, location }: Pick<DesignerLink, "facings" | "location">,
  item: Item,
): Variables & { link: Record<string, unknown> } {
  return {
    item: itemVariables(item),
    link: {
      displayPosition: BigInt(displayPosition),
      ...(facings !== undefined && { facings: BigInt(facings) }),
      ...(location !== undefined && { location }),
    },
    device: {
      type: BigInt(labelType.type),
      width: BigInt(labelType.width),
      height: BigInt(labelType.height),
      dpi: BigInt(dpiOf(labelType)),
      colors: labelType.colors,
    },
    store: {
      name: store.name,
      currency: store.currency,
      locale: store.locale,
      timeZone: store.timeZone,
      unitPricePer100: store.parameters?.UNIT_PRICE_PER_100 ?? false,
    },
  };
}
