import test from "ava";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { beginSend, giveUp } from "../../../../domain/labels/next-transmission.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import {
  acknowledged,
  at,
  begun,
  picture,
  report,
  sendingState,
  settings,
} from "../../../workers/transmitter/states.ts";

/** "a" is shown, "b" was sent as number 2 at second 2, and "a" is wanted again. */
const returned = (): LabelState => {
  const shown = acknowledged(sendingState("a"), 1, 1);
  return wantImage(begun(wantImage(shown, picture("b"), at(2)), at(2)), picture("a"), at(2.5));
};

test("a shown picture is sent again with a new number while another picture is unreported", (t) => {
  const next = beginSend(returned(), at(3), settings);
  t.like(next?.send, { number: 3, page: 0, image: "a" });
  t.like(acknowledged(next?.state ?? returned(), 3, 4), { sending: undefined, sendDue: undefined });
});

test("a shown picture is sent again after the other picture's reported failure, since the label may still have received it", (t) => {
  const failed = applyReport(returned(), report("failed", 2.7, { transmission: 2 }), at(2.7));
  t.like(begun(failed, failed.sendDue ?? at(0)).sending, { number: 3, image: "a" });
});

test("a shown picture is sent again when the other picture has failed, after all attempts or a refusal", (t) => {
  const { sendDue: _, ...shown } = acknowledged(sendingState("a"), 1, 1);
  let tried = begun(wantImage(shown, picture("b"), at(2)), at(2));
  for (let tries = 1; tries <= settings.maxTries; tries += 1) tried = begun(tried, at(100 * tries));
  t.is(tried.givenUp, "no report after 5 tries");
  for (const givenUp of [tried, giveUp(tried, 2, { reason: "too large" }, at(600), settings)])
    t.like(begun(wantImage(givenUp, picture("a"), at(601)), at(601)).sending, { number: 3, image: "a" });
});

test("a page is certain again when a transmission later than the other picture's is acknowledged", (t) => {
  const again = begun(returned(), at(3));
  const late = acknowledged(acknowledged(again, 3, 5), 2, 4, 6);
  t.like(late, { shown: [{ image: "a" }], sendDue: undefined });
  t.is(late.shown[0]?.uncertain, undefined);
  const older = acknowledged(again, 1, 1, 6);
  t.true(older.shown[0]?.uncertain, "a repeated report about an older transmission does not make the page certain");
  t.like(acknowledged(again, 2, 4, 6), { shown: [{ image: "b", uncertain: true }], sending: { number: 3 } });
});

test("each page is uncertain separately, and sending the same picture again makes no page uncertain", (t) => {
  const both = acknowledged(begun(acknowledged(sendingState("a", "b"), 1, 1), at(1)), 2, 2);
  const other = begun(wantImage(both, picture("a", "c"), at(3)), at(3));
  t.deepEqual(
    other.shown.map(({ uncertain }) => uncertain),
    [undefined, true],
  );
  const refreshed = begun({ ...both, refreshing: { pages: [0], after: 2 }, sendDue: at(3) }, at(3));
  t.is(refreshed.shown[0]?.uncertain, undefined);
});

test("a page sent by an earlier release becomes uncertain when another picture is wanted", (t) => {
  const { shown, ...state } = returned();
  const known = shown.map(({ uncertain: _, number: __, ...former }) => former);
  const former = { ...state, shown: known, wanted: picture("b").pages };
  t.like(begun(wantImage(former, picture("a"), at(2.5)), at(3)).sending, { number: 3, image: "a" });
});
