import type { PriceElement, TextElement } from "../../schemas/canvas-texts.ts";
import type { Color } from "../../schemas/color.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import { contrastIndex, contrastOf, MIN_CONTRAST, mostlyIn } from "../pixels/contrast.ts";
import type { Framebuffer } from "../pixels/framebuffer.ts";
import { colorIndex } from "../pixels/nearest-color.ts";
import type { LetterColors } from "../text/draw-characters.ts";
import { shortened } from "../text/shortened.ts";

/**
 * Returns the colours of an element's text and of most of its background, and a warning for each text colour that is hard to tell
 * from the background on e-paper. Identical colours are reported when the text is drawn.
 */
export function inkOn(
  picture: Framebuffer,
  element: TextElement | PriceElement,
  text: string,
): LetterColors & { warnings: DrawingNotice[] } {
  const { palette } = picture;
  const { color, box, x, y, width, height } = element;
  const beneath = box?.fill === undefined ? mostlyIn(picture, { x, y, width, height }) : colorIndex(box.fill, palette);
  const index = color === "contrast" ? contrastIndex(beneath, palette) : colorIndex(color, palette);
  const ofRuns = element.kind === "text" ? (element.runs ?? []).flatMap((run) => run.color ?? []) : [];
  const indices = new Set([index, ...ofRuns.map((own) => colorIndex(own, palette))]);
  const paper = palette[beneath] as Color;
  const warnings = [...indices].flatMap((one) => {
    const ink = palette[one] as Color;
    const contrast = contrastOf(ink, paper);
    if (one === beneath || contrast >= MIN_CONTRAST) return [];
    const measured = { contrast: contrast.toFixed(1), least: MIN_CONTRAST };
    return [notice("HARD_TO_READ", { text: shortened(text), ink, paper, ...measured })];
  });
  return { color: index, paper: beneath, warnings };
}
