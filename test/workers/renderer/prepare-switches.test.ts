import test from "ava";
import { isToPrepare } from "../../../workers/renderer/prepare-switches.ts";
import { at } from "../transmitter/states.ts";

const HOUR = 3_600;
const one = { state: "PREPARING", showAt: at(20 * HOUR), deadline: at(19 * HOUR) } as const;

test("a switch is prepared from twelve hours before its time until that time", (t) => {
  t.false(isToPrepare(one, at(7 * HOUR), 0));
  t.true(isToPrepare(one, at(8 * HOUR), 0));
  t.false(isToPrepare(one, at(20 * HOUR), 0));
});

test("a switch rests between two preparations, but not at its deadline", (t) => {
  const rests = at(20 * HOUR).getTime();
  t.false(isToPrepare({ ...one, preparedAt: at(10 * HOUR) }, at(11 * HOUR), rests));
  t.true(isToPrepare({ ...one, preparedAt: at(10 * HOUR) }, at(19 * HOUR), rests));
  t.false(isToPrepare({ ...one, preparedAt: at(19 * HOUR) }, at(19 * HOUR + 1), rests));
});

test("an ordered switch is prepared until its time, and a switch that was called off or is done is not", (t) => {
  t.true(isToPrepare({ ...one, state: "ORDERED" }, at(19.5 * HOUR), 0));
  for (const state of ["CALLED_OFF", "DONE"] as const) t.false(isToPrepare({ ...one, state }, at(19 * HOUR), 0));
});
