import test from "ava";
import { pageToSend } from "../../../domain/labels/pages-to-send.ts";
import { refreshState, resendAll } from "../../../domain/labels/resend-pages.ts";
import { entriesOf } from "../../../schemas/label-history.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";

const at = new Date("2026-03-01T12:00:00Z");
const pages = [
  { page: 0, image: "a" },
  { page: 1, image: "b" },
];
const showing: LabelState = {
  ...newLabelState(),
  wanted: pages,
  shown: pages.map((page) => ({ ...page, deliveredAt: at, through: 4 })),
  transmissions: 4,
};

test("every page of a label is due again, by a transmission later than the last one", (t) => {
  const refreshed = refreshState(showing, 9, at);
  t.like(refreshed, { refreshed: 9, refreshing: { pages: [0, 1], after: 4 }, sendDue: at, shown: showing.shown });
  t.deepEqual(pageToSend(refreshed), pages[0]);
});

test("a refresh clears the label's failed state and its attempts", (t) => {
  const givenUp = { ...showing, givenUp: "no report", tries: 10 };
  t.like(refreshState(givenUp, 9, at), { givenUp: undefined, tries: 0, sendDue: at });
});

test("a request applied again, or after a later one, changes nothing", (t) => {
  const refreshed = refreshState(showing, 9, at);
  for (const stamp of [9, 8]) t.is(refreshState(refreshed, stamp, at), refreshed);
  const again = refreshState({ ...refreshed, refreshing: undefined, sendDue: undefined }, 9, at);
  t.is(again.sendDue, undefined);
});

test("a refresh waits for a page that is being sent", (t) => {
  const soon = new Date(at.getTime() + 15_000);
  const sending = { ...showing, sending: { number: 4, page: 0, image: "a" }, sendDue: soon };
  t.like(refreshState(sending, 9, at), { sending: sending.sending, sendDue: soon, refreshing: { after: 4 } });
});

test("a label without pages is sent nothing", (t) => {
  const refreshed = refreshState(newLabelState(), 9, at);
  t.like(refreshed, { refreshing: undefined, sendDue: undefined, refreshed: 9 });
});

test("after a restore every page is sent again, and no stored transmission is repeated", (t) => {
  const sending = {
    ...showing,
    sending: { number: 4, page: 0, image: "a" },
    sent: [{ number: 4, page: 0, image: "a" }],
  };
  const resent = resendAll({ ...sending, givenUp: "no report" }, at);
  t.like(resent, {
    sending: undefined,
    sent: [],
    sendDue: at,
    givenUp: undefined,
    refreshing: { pages: [0, 1], after: resent.transmissions },
  });
});

test("after a restore no number drawn since the backup is reused, even if a clock was ahead", (t) => {
  const drawnAhead = at.getTime() + 10_000;
  t.true(resendAll(showing, at).transmissions > drawnAhead);
  t.is(resendAll({ ...showing, transmissions: at.getTime() + 99_000 }, at).transmissions, at.getTime() + 99_000);
});

test("after a restore a label without pages is sent nothing", (t) => {
  t.like(resendAll(newLabelState(), at), { refreshing: undefined, sendDue: undefined });
});

test("after a restore a label's pending fingerprint request is kept, and no new request appears", (t) => {
  const fingerprint = { stamp: 3, due: at };
  t.deepEqual(resendAll({ ...showing, fingerprint }, at).fingerprint, fingerprint);
  t.false("fingerprint" in resendAll(showing, at));
});

test("a refresh appears in the label's history", (t) => {
  const [entry] = entriesOf(refreshState(newLabelState(), 9, at).history ?? []);
  t.like(entry, { at: at.getTime(), event: "refresh", result: "asked" });
});
