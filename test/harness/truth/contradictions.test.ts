import test from "ava";
import type { CauseName, LabelExplanation } from "../../../schemas/explanation.ts";
import type { LabelBehind, ShownThen } from "../../../schemas/integrity.ts";
import { contradictionsOf, type ToldLabel } from "./contradictions.ts";

const [NEW, OLD] = ["the picture of now", "an earlier one"];
const logged = { image: NEW, items: [{ itemId: "apple", price: "1.99" }] } as ShownThen;
const behind = (cause: CauseName) => ({ barcode: "A", cause }) as LabelBehind;
const explained = (cause: CauseName, more: object = {}) =>
  ({
    cause,
    plState: "OK",
    glass: [{ page: 0, isWanted: true }],
    onItsWay: null,
    ...more,
  }) as unknown as LabelExplanation;
const drawn = (content: string, isBare = false) => ({ content, isBare, price: "1.99" });

const right: ToldLabel = {
  ...{ barcode: "A", glass: NEW, anew: drawn(NEW), newest: NEW, plState: "OK", logged },
  ...{ behind: undefined, asLogged: undefined, explanation: explained("UP_TO_DATE") },
};
const pending = { plState: "PENDING", behind: behind("ON_ITS_WAY") } as const;
const onItsWay = explained("ON_ITS_WAY", { plState: "PENDING", glass: [] });

const cases: readonly [string, Partial<ToldLabel>, RegExp?][] = [
  ["all of it is so", {}],
  ["a picture on its way is told", { ...pending, glass: OLD, explanation: onItsWay }],
  ["the picture of another item, link or design is there", { anew: drawn(OLD) }, /plState is OK, and the glass/],
  ["integrity lists what is OK", { behind: behind("ON_ITS_WAY") }, /plState is OK, and integrity says ON_ITS_WAY/],
  ["integrity leaves out what is PENDING", { plState: "PENDING" }, /integrity counts the label as right$/],
  ["integrity counts an earlier picture", { plState: "UNKNOWN", glass: OLD }, /as right, and the glass shows another/],
  ["integrity knows no cause", { behind: behind("UP_TO_DATE") }, /says that it is up to date/],
  ["the log has another picture", { logged: { ...logged, image: OLD } }, /the log says that it shows an earlier one/],
  ["the log has a price that is not shown", { asLogged: drawn(OLD) }, /the log names the price 1.99/],
  ["the log has no item", { logged: { ...logged, items: [] } }, /the log names no item/],
  ["explain has another state", { explanation: explained("UP_TO_DATE", { plState: "ERROR" }) }, /explain says ERROR/],
  ["explain takes an earlier picture for the newest", { glass: OLD }, /explain says UP_TO_DATE, and the glass/],
  ["explain waits for what is there", { ...pending, explanation: onItsWay }, /ON_ITS_WAY of a picture that is on/],
  ["explain has a cause of what is OK", { explanation: explained("GIVEN_UP") }, /OK, and explain says GIVEN_UP/],
  [
    "explain has another cause",
    { ...pending, explanation: explained("GIVEN_UP") },
    /GIVEN_UP, and integrity ON_ITS_WAY/,
  ],
  ["the acknowledged picture is not there", { glass: OLD, ...pending }, /that the newest picture is shown/],
];

for (const [name, change, said] of cases)
  test(name, (t) => {
    const found = contradictionsOf({ ...right, ...change }).join("\n");
    if (said) t.regex(found, new RegExp(said, "m"));
    else t.is(found, "");
  });
