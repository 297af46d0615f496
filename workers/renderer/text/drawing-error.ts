/** Thrown where an element must not be drawn: the label would lie. */
export class DrawingError extends Error {
  override readonly name = "DrawingError";
}
