/** Thrown if an element must not be drawn, because the label would show something wrong. */
export class DrawingError extends Error {
  override readonly name = "DrawingError";
}
