import { button, input, make, select, signButton } from "../../make.ts";
import { text } from "../desk.ts";
import {
  type Clause,
  type Field,
  fieldsOf,
  isSameField,
  isWhole,
  numberTests,
  presenceTests,
  type Sentence,
  type Test,
  textTests,
} from "../sentence/clauses.ts";
import { fieldName } from "../words.ts";
import type { Known } from "./known-properties.ts";

const OTHER = " ";
const ofLabel: readonly Field[] = [
  { root: "link", key: "location" },
  { root: "link", key: "facings" },
  { root: "device", key: "type" },
];
const NUMBER = /^-?\d{1,12}(?:\.\d{1,6})?$/;
const WHOLE = /^-?\d{1,12}$/;
const nameOf = ({ root, key }: Field): string => `${root}.${key}`;

/** The form that edits a condition as a sentence. Reports each change that is complete. */
export function sentenceForm(
  sentence: Sentence,
  known: readonly Known[],
  change: (sentence: Sentence, isStructure: boolean) => void,
): HTMLElement {
  const { join, clauses } = sentence;
  /** The clauses as typed, since the form is not redrawn while somebody types. */
  let typed = clauses;
  const replace = (index: number, clause: Clause, isStructure: boolean) => {
    typed = typed.with(index, clause);
    change({ join, clauses: typed }, isStructure);
  };
  const joins = [
    ["and", text("rules.all")],
    ["or", text("rules.any")],
  ] as const;
  return make(
    "div",
    { class: "sentence" },
    ...(clauses.length > 1
      ? [
          select(text("rules.join"), joins, join, (value) =>
            change({ join: value as "and" | "or", clauses: typed }, true),
          ),
        ]
      : []),
    ...(clauses.length === 0 ? [make("p", { class: "hint" }, text("rules.noClause"))] : []),
    ...clauses.map((clause, index) =>
      clauseRow(
        clause,
        index,
        known,
        (next, isStructure) => replace(index, next, isStructure),
        () => change({ join, clauses: typed.toSpliced(index, 1) }, true),
      ),
    ),
    button(
      text("rules.addClause"),
      () =>
        change(
          { join, clauses: [...typed, firstClause(known[0]?.field ?? { root: "item", key: "price" }, known)] },
          true,
        ),
      { class: "quiet" },
    ),
  );
}

const isNumeric = (field: Field, known: readonly Known[]): boolean =>
  isWhole(field) || known.some((one) => one.isNumeric && isSameField(one.field, field)) || field.key === "price";

/** Returns the tests that suit a field: number tests only if its values are numbers. */
function testsFor(field: Field, known: readonly Known[], present: Test): readonly Test[] {
  if (isWhole(field)) return ["is", "isNot", ...numberTests.slice(0, 4), ...presenceTests];
  const tests: readonly Test[] = isNumeric(field, known)
    ? [...numberTests, ...textTests, ...presenceTests]
    : [...textTests, ...presenceTests];
  return tests.includes(present) ? tests : [...tests, present];
}

function firstClause(field: Field, known: readonly Known[]): Clause {
  const test = testsFor(field, known, "is")[0] ?? "is";
  const usual = known.find((one) => isSameField(one.field, field))?.values[0] ?? "";
  return withTest({ field, test: "contains", text: usual }, test);
}

/** Returns the clause with a different test; its value is kept if the new test can use it. */
function withTest(clause: Clause, test: Test): Clause {
  const { field } = clause;
  const value = valueText(clause);
  if (test === "exists" || test === "missing") return { field, test };
  if (test === "is" || test === "isNot")
    return { field, test, values: [isWhole(field) && !WHOLE.test(value) ? "1" : value] };
  if (test === "contains" || test === "containsNot" || test === "startsWith" || test === "endsWith")
    return { field, test, text: value };
  const amount = "amount" in clause ? clause.amount : { number: NUMBER.test(value) ? value : "1" };
  return { field, test, amount };
}

function valueText(clause: Clause): string {
  if ("values" in clause) return clause.values.join(", ");
  if ("text" in clause) return clause.text;
  return "amount" in clause ? ("number" in clause.amount ? clause.amount.number : clause.amount.percent) : "";
}

function clauseRow(
  clause: Clause,
  index: number,
  known: readonly Known[],
  change: (clause: Clause, isStructure: boolean) => void,
  remove: () => void,
): HTMLElement {
  const { field, test } = clause;
  const tests = testsFor(field, known, test).map((one) => [one, text(`rules.test.${one}`)] as const);
  const row = make(
    "div",
    { class: "clause", role: "group", "aria-label": `${text("rules.condition")} ${index + 1}` },
    fieldChoice(clause, known, change),
    select(text("rules.test"), tests, test, (value) => change(withTest(clause, value as Test), true)),
    ...valueInputs(clause, index, known, change),
    signButton("×", text("rules.removeClause"), remove),
    ...fieldsOf(clause)
      .filter(
        (one) => one.root === "item" && known.length > 0 && !known.some(({ field: has }) => isSameField(has, one)),
      )
      .map(({ key }) => make("p", { class: "warning" }, text("rules.unknown", { name: key }))),
  );
  return row;
}

function fieldChoice(
  clause: Clause,
  known: readonly Known[],
  change: (clause: Clause, isStructure: boolean) => void,
): HTMLElement {
  const { field } = clause;
  const fields = [...known.map((one) => one.field), ...ofLabel];
  const all = fields.some((one) => isSameField(one, field)) ? fields : [field, ...fields];
  const options = [
    ...all.map((one) => [nameOf(one), fieldName(one, text)] as const),
    [OTHER, text("rules.otherProperty")] as const,
  ];
  const choice = select(text("rules.property"), options, nameOf(field), (value) => {
    const other = all.find((one) => nameOf(one) === value);
    if (other !== undefined) return change(firstClause(other, known), true);
    const typed = make("input", { "aria-label": text("rules.property"), autocomplete: "off" });
    typed.addEventListener("change", () => {
      if (typed.value.trim() !== "") change(firstClause({ root: "item", key: typed.value.trim() }, known), true);
    });
    choice.replaceWith(typed);
    typed.focus();
  });
  return choice;
}

function valueInputs(
  clause: Clause,
  index: number,
  known: readonly Known[],
  change: (clause: Clause, isStructure: boolean) => void,
): HTMLElement[] {
  if (!("values" in clause || "text" in clause || "amount" in clause)) return [];
  const { field } = clause;
  const listId = `values-${index}`;
  const fault = make("p", { class: "fault", role: "alert", id: `fault-${index}`, hidden: true });
  const refuse = (said: string, typed: HTMLInputElement) => {
    fault.textContent = said;
    fault.hidden = said === "";
    typed.setAttribute("aria-invalid", String(said !== ""));
  };
  const take = (value: string) => {
    const next = withValue(clause, value);
    refuse(
      next === undefined ? text(value.trim() === "" ? "rules.noValue" : "rules.notANumber", { value }) : "",
      typed,
    );
    if (next !== undefined) change(next, false);
  };
  const label = text("values" in clause ? "rules.values" : "rules.value");
  const typed = input(label, valueText(clause), take, { list: listId, "aria-describedby": `fault-${index}` });
  const values = known.find((one) => isSameField(one.field, field))?.values ?? [];
  const offered = make("datalist", { id: listId }, ...values.map((value) => make("option", { value })));
  return [typed, offered, ...shareOf(clause, known, change), fault];
}

/** The choice of what a percentage is based on: nothing, or another property. */
function shareOf(
  clause: Clause,
  known: readonly Known[],
  change: (clause: Clause, isStructure: boolean) => void,
): HTMLElement[] {
  if (!("amount" in clause) || isWhole(clause.field)) return [];
  const { amount } = clause;
  const others = known.filter((one) => one.isNumeric && !isSameField(one.field, clause.field)).map((one) => one.field);
  const of = "of" in amount ? amount.of : undefined;
  if (others.length === 0 && of === undefined) return [];
  const all = of === undefined || others.some((one) => isSameField(one, of)) ? others : [of, ...others];
  const options = [
    ["", "–"] as const,
    ...all.map((one) => [nameOf(one), `% ${text("rules.percentOf")} ${fieldName(one, text)}`] as const),
  ];
  return [
    select(text("rules.percentOf"), options, of ? nameOf(of) : "", (value) => {
      const other = all.find((one) => nameOf(one) === value);
      change({ ...clause, amount: other ? { percent: "100", of: other } : { number: "1" } }, true);
    }),
  ];
}

/** Returns the clause with a different value as typed; undefined if the value is not valid for it. */
function withValue(clause: Clause, value: string): Clause | undefined {
  const trimmed = value.trim();
  if ("values" in clause) {
    const values = trimmed
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean);
    const isSound = values.length > 0 && (!isWhole(clause.field) || values.every((one) => WHOLE.test(one)));
    return isSound ? { ...clause, values } : undefined;
  }
  if ("text" in clause) return trimmed === "" ? undefined : { ...clause, text: trimmed };
  if (!("amount" in clause)) return clause;
  const number = trimmed.replace(",", ".").replace(/\.0+$/, "");
  if (!(isWhole(clause.field) ? WHOLE : NUMBER).test(number)) return undefined;
  if ("number" in clause.amount) return { ...clause, amount: { number } };
  return number.startsWith("-") ? undefined : { ...clause, amount: { ...clause.amount, percent: number } };
}
