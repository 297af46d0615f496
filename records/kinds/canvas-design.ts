import { CanvasDesign } from "../../schemas/canvas.ts";
import { recordKind } from "../kind.ts";

export const canvasDesigns = recordKind("canvasdesign.v1", CanvasDesign, {
  isAlive: ({ deleted }) => deleted !== true,
});
