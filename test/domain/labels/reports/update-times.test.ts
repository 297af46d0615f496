import test from "ava";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import { acknowledged, at, begun, picture, sendingState } from "../../../workers/transmitter/states.ts";
import { failed, superseded } from "./reported.ts";

test("lastUpdate is the time of the last transmission, successful or not; lastOkUpdate is the time of the last acknowledged one", (t) => {
  const good = acknowledged(sendingState("a"), 1, 3, 4);
  t.like(good, { lastUpdate: at(3), lastOkUpdate: at(3) });
  const sendingNext = begun(wantImage(good, picture("b"), at(5)), at(5));
  t.like(failed(sendingNext, 2, 6), { lastUpdate: at(6), lastOkUpdate: at(3) });
});

test("lastDisplayUpdate is the time of the last acknowledged transmission that changed pixels", (t) => {
  const first = acknowledged(sendingState("a"), 1, 3);
  t.deepEqual(first.lastDisplayUpdate, at(3));
  const same = { ...first, sent: [...first.sent, { number: 2, page: 0, image: "a" }] };
  t.deepEqual(acknowledged(same, 2, 7).lastDisplayUpdate, at(3));
  t.deepEqual(acknowledged(same, 2, 7).lastOkUpdate, at(7));
  const other = { ...first, sent: [...first.sent, { number: 2, page: 0, image: "b" }] };
  t.deepEqual(acknowledged(other, 2, 7).lastDisplayUpdate, at(7));
});

test("a picture that returns to an uncertain page changed its pixels, unless its report is repeated", (t) => {
  const shown = acknowledged(sendingState("a"), 1, 1);
  const lost = begun(wantImage(shown, picture("b"), at(2)), at(2));
  const again = begun({ ...wantImage(lost, picture("a"), at(3)), sendDue: at(3) }, at(3));
  t.deepEqual(acknowledged(again, 3, 4).lastDisplayUpdate, at(4));
  t.deepEqual(acknowledged({ ...again, lastDisplayUpdate: at(3) }, 1, 1).lastDisplayUpdate, at(3));
});

test("a late report does not set back the times of the last update", (t) => {
  const state = acknowledged(acknowledged(superseded, 2, 20), 1, 10, 21);
  t.deepEqual([state.lastUpdate, state.lastOkUpdate], [at(20), at(20)]);
});
