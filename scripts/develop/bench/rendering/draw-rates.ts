import { parseArgs } from "node:util";
import { mergeItem } from "../../../../domain/items/merge-item.ts";
import { encodePng } from "../../../../drawing/pixels/png.ts";
import { readItems } from "../../../operate/import/read-items.ts";
import { createCanvasDrawing } from "./canvas-drawing.ts";
import { drawOurs, type Order, ordersOf, rateOf } from "./orders.ts";

/**
 * Draws labels of one type in one way and prints the rates of its rounds as JSON. Each way runs in its own process, because in
 * a shared process each would collect the other's garbage.
 */
const { values } = parseArgs({
  options: { list: { type: "string" }, type: { type: "string" }, way: { type: "string" }, rounds: { type: "string" } },
});
const { list = "", type, way, rounds } = values;
const PRODUCTS = 200;
/** In the first rounds, the engine still compiles the drawing code in threads whose time counts too. */
const WARM_UP_ROUNDS = 15;

const patches = (await readItems(list)).slice(0, PRODUCTS);
const orders = ordersOf(
  patches.map((patch) => mergeItem(undefined, patch, 1, true)),
  Number(type),
);
const draw = way === "canvas" ? byCanvas() : drawOurs;
const rates: number[] = [];
for (let round = 0; round < WARM_UP_ROUNDS + Number(rounds); round += 1) {
  const rate = await rateOf(orders, draw);
  if (round >= WARM_UP_ROUNDS) rates.push(rate);
}
process.stdout.write(JSON.stringify(rates));

function byCanvas(): (order: Order, index: number) => Buffer {
  const drawing = createCanvasDrawing(orders);
  return (_, index) => encodePng(drawing(index));
}
