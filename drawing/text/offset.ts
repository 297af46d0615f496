/** Returns where an object of length `extent` starts inside `room`, by its alignment. */
export function offsetOf(
  align: "left" | "top" | "center" | "middle" | "right" | "bottom" | "baseline" | undefined,
  room: number,
  extent: number,
): number {
  if (align === "center" || align === "middle") return (room - extent) / 2;
  return align === "right" || align === "bottom" || align === "baseline" ? room - extent : 0;
}
