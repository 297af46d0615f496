import test from "ava";
import { createKeyReader } from "../../../../api/pages/browser/aisle/keys.ts";
import { type Entry, type Outcome, openOutbox } from "../../../../api/pages/browser/aisle/outbox.ts";
import { outcomeOf, toldFlash } from "../../../../api/pages/browser/aisle/outcome.ts";
import { createSeenCodes } from "../../../../api/pages/browser/aisle/seen-codes.ts";
import { askedOf, type Kind, type Mode, type Steps, take } from "../../../../api/pages/browser/aisle/steps.ts";

const scanned = (code: string, kind: Kind = "unknown", isSeen = false) => ({ code, kind, isSeen });
const begin = (mode: Mode): Steps => ({ mode });

test("the first scan of an unknown kind counts as a label, and the second as a product", (t) => {
  const { steps } = take(begin("link"), scanned("L"));
  t.is(askedOf(steps), "product");
  t.deepEqual(take(steps, scanned("P")), { steps: begin("link"), act: { do: "link", label: "L", product: "P" } });
});

test("a scanner may read the product first, but a camera may not, since the label's glass shows a product's code", (t) => {
  const { steps } = take(begin("link"), scanned("P", "product"));
  t.is(askedOf(steps), "itsLabel");
  t.deepEqual(take(steps, scanned("L", "label")).act, { do: "link", label: "L", product: "P" });
  t.deepEqual(take(begin("link"), scanned("P", "product", true)), { steps: begin("link"), refused: "notLabel" });
});

test("scanning another label instead of a product selects that label", (t) => {
  const { steps } = take({ mode: "link", label: "L" }, scanned("M", "label"));
  t.deepEqual(steps, { mode: "link", label: "M" });
});

test("a link uses the position chosen on its label; the choice does not apply to the next link or label", (t) => {
  const { steps, act } = take({ mode: "link", label: "L", position: 1 }, scanned("P"));
  t.deepEqual(act, { do: "link", label: "L", product: "P", position: 1 });
  t.deepEqual(steps, begin("link"));
  t.deepEqual(take({ mode: "link", label: "L", position: 1 }, scanned("M", "label")).steps, {
    mode: "link",
    label: "M",
  });
});

test("scanning a label to unlink it leads to a confirmation, and scanning a product is refused", (t) => {
  t.is(askedOf(take(begin("unlink"), scanned("L", "label")).steps), "confirm");
  t.is(take(begin("unlink"), scanned("P", "product")).refused, "notLabel");
});

test("when a label is replaced, the second scan replaces the first", (t) => {
  const { steps } = take(begin("replace"), scanned("L", "label"));
  t.is(take(steps, scanned("L", "label")).refused, "sameLabel");
  t.deepEqual(take(steps, scanned("M", "label")).act, { do: "replace", label: "L", by: "M" });
});

test("flashing finds a product's labels or a single label", (t) => {
  t.deepEqual(take(begin("find"), scanned("P", "product")).now, { do: "flashItem", code: "P" });
  t.deepEqual(take(begin("find"), scanned("L", "label")).now, { do: "flashLabel", code: "L" });
});

test("rapid keys that end with Enter are a scan", (t) => {
  const read = createKeyReader();
  const typed = (text: string, at: number) => Array.from(text, (key, index) => read(key, at + index * 10)).at(-1);
  t.is(typed("4006381333931", 0), undefined);
  t.is(read("Enter", 140), "4006381333931");
  t.is(read("Enter", 150), undefined, "Enter without a scan acts on the focused element");
  typed("x", 1_000);
  typed("D4AB", 9_000);
  t.is(read("Shift", 9_040), undefined);
  t.is(read("Enter", 9_050), "D4AB", "an earlier stray key is not part of the scan");
});

test("a code held in front of the camera is one scan, and a code scanned during another change is not lost", (t) => {
  const newCodes = createSeenCodes();
  t.deepEqual(newCodes(["L"], 0, false), ["L"]);
  t.deepEqual(newCodes(["L"], 2_000, false), []);
  t.deepEqual(newCodes(["L", "P"], 4_000, true), []);
  t.deepEqual(newCodes(["L", "P"], 6_000, false), ["P"]);
  t.deepEqual(newCodes(["P"], 6_100, false), []);
  t.deepEqual(newCodes(["L"], 8_600, false), ["L"], "the code was out of view meanwhile");
});

const outcomes: readonly [number | undefined, string | undefined, Outcome["is"]][] = [
  [200, undefined, "done"],
  [202, undefined, "done"],
  [undefined, undefined, "again"],
  [503, "unavailable", "again"],
  [429, "rate-limited", "again"],
  [401, "unauthenticated", "again"],
  [409, "idempotency-key-in-use", "again"],
  [409, "conflict", "failed"],
  [404, "not-found", "failed"],
  [422, "idempotency-key-reused", "failed"],
];
for (const [status, problem, is] of outcomes)
  test(`a change that is answered with ${status ?? "nothing"} (${problem ?? "no problem"}) is ${is}`, (t) =>
    t.is(outcomeOf(status, problem).is, is));

test("a product's labels that do not flash are counted too", (t) => {
  const counted = (...results: string[]) => toldFlash(results).map(({ key, count }) => `${count} ${key}`);
  t.deepEqual(counted("OK", "OK"), ["2 flashing"]);
  t.deepEqual(counted("OK", "UNREACHABLE", "UNSUPPORTED"), ["1 flashing", "2 others"]);
  t.deepEqual(counted("UNREACHABLE"), ["1 cannot"]);
  t.deepEqual(counted(), ["0 none"]);
});

/** Returns a storage like a browser's. */
function storageOf() {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test("changes are sent in order, each with one key, and another user's changes are left alone", async (t) => {
  const storage = storageOf();
  const sent: Entry[] = [];
  let isThere = false;
  const of = (name: string) =>
    openOutbox({
      storage,
      name,
      perform: async (entry) => {
        sent.push(entry);
        return isThere ? { is: "done" } : { is: "again" };
      },
      onChange: () => undefined,
      now: () => 1_000,
    });
  const outbox = of("store/anna");
  outbox.add({ do: "unlink", label: "L" });
  outbox.add({ do: "link", label: "L", product: "P" });
  await outbox.send();
  t.is(outbox.waiting().length, 2, "a change that cannot be sent stops the later ones");
  t.is(of("store/bert").list().length, 0);
  isThere = true;
  await of("store/anna").send();
  t.deepEqual(
    sent.map(({ act }) => act.do),
    ["unlink", "unlink", "link"],
  );
  t.is(sent[0]?.id, sent[1]?.id);
  t.not(sent[1]?.id, sent[2]?.id);
  t.deepEqual(outbox.waiting(), []);
});

test("a change that waited half a day is not sent, and the page says so", async (t) => {
  let time = 0;
  const outbox = openOutbox({
    storage: storageOf(),
    name: "store/anna",
    perform: async () => t.fail(),
    onChange: () => undefined,
    now: () => time,
  });
  outbox.add({ do: "unlink", label: "L" });
  time = 13 * 3_600_000;
  await outbox.send();
  const [entry] = outbox.list();
  t.is(entry?.reason, "old");
  outbox.dismiss(entry?.id ?? "");
  t.deepEqual(outbox.list(), []);
});

test("a change dismissed while it was being sent is not queued again", async (t) => {
  const outbox = openOutbox({
    storage: storageOf(),
    name: "store/anna",
    perform: async (entry, keep) => {
      outbox.dismiss(entry.id);
      keep({ ...entry, requestId: 1 });
      return { is: "again" };
    },
    onChange: () => undefined,
    now: () => 1_000,
  });
  outbox.add({ do: "replace", label: "L", by: "M" });
  await outbox.send();
  t.deepEqual(outbox.list(), []);
});
