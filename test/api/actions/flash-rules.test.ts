import test from "ava";
import fc from "fast-check";
import { flashFor, nearestColor, roundFlashDuration } from "../../../api/actions/flash-rules.ts";
import { type FlashColor, FlashRequest, flashColors } from "../../../schemas/flash.ts";
import { compileCheck } from "../../../schemas/validate.ts";

const checkRequest = compileCheck(FlashRequest);
const pointersOf = (request: unknown) => checkRequest(request).map(({ pointer }) => pointer);

const colors: [color: string, nearest: FlashColor][] = [
  ["#00ff00", "GREEN"],
  ["#ff0000", "RED"],
  ["#0000ff", "BLUE"],
  ["#00ffff", "CYAN"],
  ["#ff00ff", "MAGENTA"],
  ["#ffff00", "YELLOW"],
  ["#ffffff", "WHITE"],
  ["#FFffFF", "WHITE"],
  ["rgb(0,255,0)", "GREEN"],
  ["rgb(255,255,255)", "WHITE"],
  ["rgb(200,10,20)", "RED"],
  ["#0a0ac8", "BLUE"],
  ["rgb(250,240,30)", "YELLOW"],
  ["rgb(0,0,1)", "BLUE"],
  // If several colours are equally near, the first of them in flashColors wins.
  ["#000000", "GREEN"],
  ["rgb(255,0,0)", "RED"],
  ["rgb(128,0,128)", "MAGENTA"],
  ["rgb(127,0,127)", "RED"],
  ["rgb(100,0,100)", "RED"],
  ["rgb(127,127,127)", "GREEN"],
];
for (const [color, nearest] of colors) {
  test(`${color} is shown as ${nearest}`, (t) => {
    t.deepEqual(pointersOf({ color }), []);
    t.is(nearestColor(color), nearest);
  });
}

const shades: Record<FlashColor, number[]> = {
  GREEN: [0, 255, 0],
  RED: [255, 0, 0],
  BLUE: [0, 0, 255],
  CYAN: [0, 255, 255],
  MAGENTA: [255, 0, 255],
  YELLOW: [255, 255, 0],
  WHITE: [255, 255, 255],
};
const component = fc.nat(255);

test("a colour maps to the nearest colour, and to the first of several equally near colours", (t) => {
  fc.assert(
    fc.property(component, component, component, (...given) => {
      const distance = (name: FlashColor) =>
        shades[name].reduce((sum, shade, index) => sum + (shade - (given[index] ?? 0)) ** 2, 0);
      const taken = nearestColor(`rgb(${given.join(",")})`);
      for (const [index, other] of flashColors.entries()) {
        t.true(distance(other) >= distance(taken));
        if (index < flashColors.indexOf(taken)) t.true(distance(other) > distance(taken));
      }
    }),
  );
});

test("both notations of a colour mean the same colour, in upper or lower case", (t) => {
  fc.assert(
    fc.property(component, component, component, (...given) => {
      const hex = `#${given.map((one) => one.toString(16).padStart(2, "0")).join("")}`;
      const rgb = `rgb(${given.join(",")})`;
      for (const form of [hex, hex.toUpperCase(), rgb]) {
        t.deepEqual(pointersOf({ color: form }), []);
        t.is(nearestColor(form), nearestColor(rgb));
      }
    }),
  );
});

for (const color of [
  "#fff",
  "#ffff",
  "#fffffff",
  "#ggffff",
  "00ff00",
  "green",
  "GREEN",
  "",
  "rgb(0, 255, 0)",
  " rgb(0,255,0)",
  "rgb(256,0,0)",
  "rgb(0,300,0)",
  "rgb(0,0,1000)",
  "rgb(-1,0,0)",
  "rgb(1.5,0,0)",
  "rgb(1,2)",
  "rgb(1,2,3,4)",
  "rgb(,,)",
  "rgba(1,2,3,1)",
  "#00ff00\n",
]) {
  test(`the colour ${JSON.stringify(color)} is refused`, (t) => t.deepEqual(pointersOf({ color }), ["/color"]));
}

const durations: [given: number, segment: number][] = [
  [0, 0],
  [1, 4],
  [4, 4],
  [5, 8],
  [8, 8],
  [9, 30],
  [30, 30],
  [31, 60],
  [60, 60],
  [61, 300],
  [300, 300],
  [301, 900],
  [900, 900],
  [901, 1800],
  [1800, 1800],
];
for (const [given, segment] of durations) {
  test(`${given} s become ${segment} s on a segment label, and ${given} s on a matrix label`, (t) => {
    t.is(roundFlashDuration(given, "segment"), segment);
    t.is(roundFlashDuration(given, "matrix"), given);
  });
}

test("a segment label flashes for the requested time, rounded up to the next possible step", (t) => {
  const steps = [0, 4, 8, 30, 60, 300, 900, 1800];
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1800 }), (seconds) => {
      const rounded = roundFlashDuration(seconds, "segment");
      t.true(steps.includes(rounded) && rounded >= seconds);
      t.false(steps.some((step) => step >= seconds && step < rounded));
    }),
  );
});

test("by default a label flashes for 4 seconds in a strong GREEN", (t) => {
  for (const request of [{}, { duration: null, color: null, flashType: null, realTime: null }]) {
    t.deepEqual(checkRequest(request), []);
    t.deepEqual(flashFor(request, "matrix"), { duration: 4, color: "GREEN", flashType: 50 });
  }
});

const refusals: [rule: string, request: unknown, pointer: string][] = [
  ["a duration below 0", { duration: -1 }, "/duration"],
  ["a duration above 1800", { duration: 1801 }, "/duration"],
  ["a fractional duration", { duration: 1.5 }, "/duration"],
  ["a duration as text", { duration: "4" }, "/duration"],
  ["realTime as text", { realTime: "true" }, "/realTime"],
  ["realTime as a number", { realTime: 1 }, "/realTime"],
  ["a fractional flashType", { flashType: 15 }, "/flashType"],
  ["a flashType of 0", { flashType: 0 }, "/flashType"],
  ["a flashType as text", { flashType: "50" }, "/flashType"],
  ["a flashType above 50", { flashType: 60 }, "/flashType"],
  ["a colour as a number", { color: 255 }, "/color"],
  ["a list as body", [], ""],
];
for (const [rule, request, pointer] of refusals) {
  test(`${rule} is refused`, (t) => t.deepEqual(pointersOf(request), [pointer]));
}

test("every documented flashType and both limits of the duration are accepted", (t) => {
  for (const flashType of [10, 20, 30, 40, 50]) t.deepEqual(pointersOf({ flashType }), []);
  for (const duration of [0, 1800]) t.deepEqual(pointersOf({ duration }), []);
});
