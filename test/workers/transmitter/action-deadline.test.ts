import test from "ava";
import { deadlineOf, goodFor } from "../../../workers/transmitter/action-deadline.ts";

const flash = (duration: number) => ({ body: { duration, color: "GREEN" as const, flashType: 50 as const } });

for (const [what, order, seconds] of [
  ["a short flash", flash(4), 30],
  ["a flash that ends", flash(0), 30],
  ["a flash of half a minute", flash(30), 30],
  ["a long flash", flash(31), 31],
  ["the longest flash", flash(1800), 1800],
  ["a temporary page", { body: { action: "set-temporary" as const, page: "info", duration: 300 } }, 300],
  ["restoring a label's own page", { body: { action: "restore-page" as const } }, 30],
] as const) {
  test(`${what} is useful for ${seconds} s`, (t) => t.is(goodFor(order), seconds));
}

test("the deadline counts from the request's time, which is its number", (t) => {
  t.is(deadlineOf({ ...flash(60), number: 5_000_000 }), 65_000);
});
