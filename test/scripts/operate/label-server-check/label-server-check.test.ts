import { readFile } from "node:fs/promises";
import test from "ava";
import pLimit from "p-limit";
import { type RuleName, ruleNames, rules } from "../../../../scripts/operate/label-server-check/rules.ts";
import type { Verdict } from "../../../../scripts/operate/label-server-check/verdict.ts";
import { checkEmulator } from "./check-emulator.ts";
import type { Fault } from "./emulator.ts";
import { faults } from "./faults.ts";

/** How long to wait for an event that must come. The full time passes only if there is a fault. */
const PATIENT_MS = 120_000;
const BRIEF_MS = 10_000;
/** The number of checks that share this process, few enough that none waits for its turn. */
const inTurn = pLimit(16);

const UNKNOWN = "NOBODY";

/** Returns the verdict on a broken rule. If a thread blocked for the brief time breaks other rules, the check is repeated. */
async function verdictOn(rule: RuleName, fault: Fault, more: { unknownBarcode?: string } = {}) {
  const after = async (waitMs: number): Promise<Verdict | undefined> => {
    const verdicts = await inTurn(() => checkEmulator(fault, waitMs, { ...more, rule }));
    return verdicts.find((one) => one.rule === rule);
  };
  const verdict = await after(BRIEF_MS);
  return verdict?.result === "failed" ? verdict : after(PATIENT_MS);
}

test("the emulator follows every rule that can be tested on it", async (t) => {
  const verdicts = await inTurn(() => checkEmulator({}, PATIENT_MS));
  t.deepEqual(
    verdicts.filter(({ result }) => result !== "passed"),
    // The emulator creates a label for every barcode.
    [{ rule: "unknown-label", result: "not tried", why: "--unknown-barcode names no barcode" }],
  );
  t.deepEqual(
    verdicts.map(({ rule }) => rule),
    ruleNames,
  );
});

for (const [name, [rule, fault]] of Object.entries(faults)) {
  test(`a label server that ${name} breaks ${rule}`, async (t) => {
    const verdict = await verdictOn(rule, fault);
    t.is(verdict?.result, "failed", JSON.stringify(verdict));
  });
}

test("a label server that acknowledges pictures for an unknown label breaks unknown-label", async (t) => {
  const verdict = await verdictOn("unknown-label", {}, { unknownBarcode: UNKNOWN });
  t.is(verdict?.result, "failed");
});

test("a label server that refuses pictures for an unknown label with 404 follows every rule", async (t) => {
  const refuses: Fault = {
    async onCall(context, next) {
      if (context.path.includes(UNKNOWN)) context.status = 404;
      else await next();
    },
  };
  const verdicts = await inTurn(() => checkEmulator(refuses, PATIENT_MS, { unknownBarcode: UNKNOWN }));
  t.deepEqual(
    verdicts.filter(({ result }) => result !== "passed"),
    [],
  );
});

test("the page for label server manufacturers lists each rule with its number", async (t) => {
  const page = await readFile(new URL("../../../../docs/label-servers/README.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^(\d+)\. `([\w-]+)`: (.+)$/gm)].map(([, number, name, means]) => [
    number,
    name,
    means,
  ]);
  t.deepEqual(
    listed,
    Object.entries(rules).map(([name, means], index) => [String(index + 1), name, means]),
  );
});

test("each rule is broken by a fault", (t) => {
  const broken = new Set(["unknown-label", ...Object.values(faults).map(([rule]) => rule)]);
  t.deepEqual(
    ruleNames.filter((rule) => !broken.has(rule)),
    [],
  );
});
