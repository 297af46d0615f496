import type { DesignerLink } from "../../schemas/design.ts";
import type { DrawingFault } from "../../schemas/image.ts";
import type { Item } from "../../schemas/item.ts";
import type { LabelType, Store } from "../../schemas/tenant.ts";
import type { Variables } from "../evaluator/expression.ts";
import { itemVariables } from "../evaluator/variables.ts";
import type { CompiledCanvas } from "./compile-canvas.ts";
import { blankPicture, draw } from "./draw.ts";
import type { Framebuffer } from "./framebuffer.ts";
import type { Bitmap } from "./map-image.ts";
import { drawSegments } from "./segments.ts";

/** All that a link's picture is drawn from. */
export interface RenderingFacts {
  designerLink: DesignerLink;
  displayPosition: number;
  item: Item | undefined;
  labelType: LabelType;
  store: Store;
  /** Undefined where there is no such design; an error where it does not compile. */
  canvas: CompiledCanvas | Error | undefined;
  images: ReadonlyMap<string, Bitmap>;
}

export interface Rendering {
  picture: Framebuffer;
  /** Of a segment label: what it shows. */
  text?: string;
  isEmpty: boolean;
  fault?: DrawingFault;
  errors: string[];
  warnings: string[];
}

/**
 * Draws a link's picture. A link that is not active, or whose item is gone, is an empty position. Where no design
 * fits or drawing fails the label shows its background, never a stale price, and the fault is told.
 */
export function renderLink(facts: RenderingFacts): Rendering {
  const { designerLink, item, labelType, canvas, images, store } = facts;
  const isSegments = labelType.display === "segment";
  const blank = (fault?: DrawingFault): Rendering => ({
    picture: blankPicture(labelType),
    ...(isSegments && { text: "" }),
    isEmpty: fault === undefined,
    errors: [],
    warnings: [],
    ...(fault && { fault }),
  });
  if (designerLink.status !== "ACTIVE" || item === undefined) return blank();
  if (designerLink.eccModelId !== undefined) {
    const detail = `links of ECC models are not drawn yet: this one has the model "${designerLink.eccModelId}"`;
    return blank({ reason: "ECC_NOT_DRAWN", detail });
  }
  if (designerLink.design_id === null) {
    return blank({ reason: "NO_COMPATIBLE_DESIGN", detail: `no design fits the label type ${labelType.type}` });
  }
  if (canvas === undefined)
    return blank({ reason: "DRAWING_FAILED", detail: `the design ${designerLink.design_id} is not there` });
  if (canvas instanceof Error) return blank({ reason: "DRAWING_FAILED", detail: canvas.message });
  try {
    const drawing = { labelType, store, images, variables: variablesOf(facts, item) };
    return { errors: [], ...(isSegments ? drawSegments(canvas, drawing) : draw(canvas, drawing)), isEmpty: false };
  } catch (error) {
    // Whatever it is, it would be the same at the next attempt: drawing depends on these facts alone.
    return blank({ reason: "DRAWING_FAILED", detail: (error as Error).message });
  }
}

/** The maps that a design's expressions look into. */
function variablesOf({ designerLink, displayPosition, labelType, store }: RenderingFacts, item: Item): Variables {
  const { facings, location } = designerLink;
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
      colors: labelType.colors,
    },
    store: { name: store.name, currency: store.currency, locale: store.locale, timeZone: store.timeZone },
  };
}
