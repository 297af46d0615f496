import test from "ava";
import { beginSend, giveUp } from "../../../../domain/labels/next-transmission.ts";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import { acknowledged, at, begun, picture, sendingState, settings } from "../../../workers/transmitter/states.ts";

test("pages are sent one after another, beginning with the first wrong page", (t) => {
  const both = sendingState("a", "b");
  t.is(both.sending?.page, 0);
  const second = beginSend(acknowledged(both, 1, 0.5), at(0.5), settings);
  t.like(second?.send, { number: 2, page: 1, image: "b" });
  const done = acknowledged(second?.state ?? both, 2, 0.8);
  t.is(done.sendDue, undefined);
  t.like(beginSend(wantImage(done, picture("a", "c"), at(2)), at(2), settings)?.send, { page: 1, image: "c" });
});

test("each page has its own attempts", (t) => {
  const tried = begun(begun(sendingState("a", "b"), at(1)), at(3));
  const shown = { ...tried, shown: [{ page: 0, image: "a", deliveredAt: at(4), through: 1 }] };
  t.like(beginSend(shown, at(7), settings), { send: { number: 2, page: 1 }, state: { tries: 1 } });
});

test("a refused page does not block other pages", (t) => {
  const refused = giveUp(sendingState("a", "b", "c"), 1, { reason: "too large" }, at(2), settings);
  const second = begun(refused, at(3602));
  t.like(second.sending, { number: 2, page: 1, image: "b" });
  const third = begun(acknowledged(second, 2, 3603), at(3603));
  t.like(third, { sending: { page: 0 }, givenUp: undefined });
  t.like(begun(giveUp(third, 3, { reason: "too large" }, at(3604), settings), at(7204)).sending, {
    page: 2,
    image: "c",
  });
});

test("on a label in ERROR the page under way is sent again before any other page", (t) => {
  const first = sendingState("a", "b");
  const givenUp = { ...first, givenUp: "no report after 5 tries", sendDue: at(2) };
  t.like(begun(givenUp, at(2)).sending, { page: 0, image: "a" });
});
