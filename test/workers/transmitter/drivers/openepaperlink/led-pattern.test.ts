import test from "ava";
import { ledPattern } from "../../../../../workers/transmitter/drivers/openepaperlink/led-pattern.ts";

test("a flash has its brightness, mode and colour, and one repetition for each additional second", (t) => {
  t.is(ledPattern({ duration: 4, color: "GREEN", flashType: 50 }), "f11c2108000000000000" + "0300");
  t.is(ledPattern({ duration: 1, color: "YELLOW", flashType: 10 }), "31fc2108000000000000" + "0000");
});

test("a flash longer than the pattern allows is shortened to the maximum", (t) => {
  t.is(ledPattern({ duration: 1800, color: "BLUE", flashType: 30 }), "91032108000000000000" + "ff00");
});

test("zero seconds stop", (t) => {
  t.is(ledPattern({ duration: 0, color: "RED", flashType: 50 }), "0".repeat(24));
});
