import test from "ava";
import type { LabelExplanation } from "../../../../schemas/explanation.ts";
import { eventually } from "../../../harness/eventually.ts";
import { glassOf, labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, deleteItem, readLabel, refused, writeItems, writeLabels } from "../../calls.ts";

const shelfwire = ownStack({ withFront: true });
const explain = async (barcode: string, query = "") =>
  bodyOf<LabelExplanation>(await shelfwire.call("GET", `/labels/${barcode}/explain${query}`));
const untilCause = (barcode: string, cause: LabelExplanation["cause"]) =>
  eventually(`the cause is ${cause}`, async () => {
    const explanation = await explain(barcode);
    if (explanation.cause !== cause) throw new Error(explanation.summary);
    return explanation;
  });
const makeLabel = async (name: string, itemId = "apple"): Promise<string> => {
  const barcode = labelFor(name);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId }] }]);
  return barcode;
};

test.before(async () => {
  await writeItems(shelfwire, [{ itemId: "apple", itemName: "Apple", price: "1.99" }]);
});

test("the explanation of a correct label has its item, link, design, trace, picture and glass, and the revs of the picture's inputs", async (t) => {
  const barcode = await makeLabel("right");
  await glassOf(shelfwire, barcode);
  const explanation = await untilCause(barcode, "UP_TO_DATE");
  t.regex(explanation.summary, /^The label shows "Apple", item "apple" at 1\.99, since .*, because this is the newest/);
  const [position] = explanation.positions;
  t.like(position, { link: { itemId: "apple", status: "ACTIVE" }, item: { price: "1.99", isThere: true } });
  t.is(position?.design?.chosenBy, "scenario");
  t.is(position?.trace?.design_id, position?.design?.designId);
  t.true(position?.trace?.scenarios.some(({ isAsked, value }) => isAsked && value));
  const rendered = position?.records.find(({ record }) => record === "renderedimage.v1");
  t.true(
    rendered?.inputs.some((input) => input === `storeitemvalues.v1 t/demo/s/main/items/apple#${position?.item?.rev}`),
  );
  t.deepEqual(
    explanation.glass.map(({ isWanted, image }) => [isWanted, image]),
    [[true, rendered?.image]],
  );
  t.is(explanation.plState, (await readLabel(shelfwire, barcode)).plState);
});

test("a token with only labels:read sees which scopes show prices, names, rules and traces, but none of these values", async (t) => {
  const barcode = await makeLabel("withheld");
  await glassOf(shelfwire, barcode);
  await untilCause(barcode, "UP_TO_DATE");
  const authorization = `Bearer ${await shelfwire.token({ scope: "labels:read" })}`;
  const answer = await fetch(`${shelfwire.base}/labels/${barcode}/explain`, { headers: { authorization } });
  const explanation = await bodyOf<LabelExplanation>(answer);
  const [position] = explanation.positions;
  t.like(position, { item: { itemId: "apple", itemName: null, price: null, isThere: true }, trace: null });
  t.like(position?.design, { chosenBy: "scenario", scenario: null });
  t.notRegex(JSON.stringify(explanation), /1\.99|"Apple|priceKind/);
  t.deepEqual(
    explanation.withheld.map(({ scopes }) => scopes.join()),
    ["items:read", "design:read", "items:read,design:read"],
  );
  t.deepEqual((await explain(barcode)).withheld, []);
});

test("an unknown label returns 404, and a label without links is reported as such", async (t) => {
  await refused(t, await shelfwire.call("GET", `/labels/${labelFor("nowhere")}/explain`), 404);
  const barcode = labelFor("bare");
  await writeLabels(shelfwire, [{ barcode }]);
  t.is((await explain(barcode)).cause, "NOT_LINKED");
});

test("an unknown item is named as the cause", async (t) => {
  await writeItems(shelfwire, [{ itemId: "pear", price: "2.99" }]);
  const barcode = await makeLabel("deleted item", "pear");
  await deleteItem(shelfwire, "pear");
  const { summary } = await untilCause(barcode, "ITEM_MISSING");
  t.regex(summary, /the linked item "pear" does not exist/);
});

test("a label server's refusal, delay or silence is reported with its reason", async (t) => {
  const [refusedOne, busy, dead] = ["refused", "busy", "dead"].map((name) => labelFor(name)) as [
    string,
    string,
    string,
  ];
  shelfwire.front?.answer(({ path }) => {
    if (path.includes(refusedOne)) return { status: 413 };
    if (path.includes(busy)) return { status: 503, headers: { "retry-after": "1" } };
    return path.includes(dead) ? "hangs up" : undefined;
  });
  await makeLabel("refused");
  t.regex((await untilCause(refusedOne, "GIVEN_UP")).summary, /the label server answered 413/);
  await makeLabel("busy");
  await eventually("the refusal is reported", async () => /answered 503/.test((await explain(busy)).summary));
  await makeLabel("dead");
  t.regex((await untilCause(dead, "LABEL_SERVER_AWAY")).summary, /the label server does not respond/);
  shelfwire.front?.answer(() => undefined);
  for (const barcode of [busy, dead]) await untilCause(barcode, "UP_TO_DATE");
});

test("dates are in the store's zone, or ISO 8601 with offset, including dates in sentences", async (t) => {
  const barcode = await makeLabel("dated");
  await glassOf(shelfwire, barcode);
  t.regex((await explain(barcode)).glass[0]?.since ?? "", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const { glass, summary } = await explain(barcode, "?serializeDatesToIso8601=true");
  t.regex(glass[0]?.since ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
  t.true(summary.includes(glass[0]?.since ?? "-"));
});
