/** Returns a canvas design of 296 x 128 pixels that shows only this text. */
export const textCanvas = (name: string, text: string) => ({
  name,
  width: 296,
  height: 128,
  background: "white",
  elements: [{ kind: "text", x: 4, y: 4, width: 280, height: 40, font: "bold", size: 32, color: "black", text }],
});
