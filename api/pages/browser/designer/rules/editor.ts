import { element } from "../../call.ts";
import { button, input, make, select, signButton } from "../make.ts";
import { celField } from "./conditions/cel-field.ts";
import type { Known } from "./conditions/known-properties.ts";
import { sentenceForm } from "./conditions/sentence-form.ts";
import { data, designName, designOf, sizesOf, text } from "./desk.ts";
import type { Period, Row, Rule, Step } from "./pack-tree.ts";
import { readSentence } from "./sentence/read-sentence.ts";
import { writeSentence } from "./sentence/write-sentence.ts";
import type { Finding } from "./trials/counts.ts";

interface Acts {
  change(id: string, change: (rule: Rule) => Rule): void;
  step(id: string, step: Step): void;
  addInside(id: string): void;
  remove(id: string): void;
}

export interface Editor {
  /** Shows a rule; undefined shows that none is chosen. */
  show(row: Row | undefined, known: readonly Known[]): void;
  /** Shows the faults of the condition at their places. */
  showFaults(findings: readonly Finding[]): void;
}

const fields = element("#fields");

/** The form for the chosen rule: name, condition, designs, period and place in the tree. */
export function createEditor(acts: Acts): Editor {
  let shown: Row | undefined;
  let catalogue: readonly Known[] = [];
  /** The rule whose condition is edited as CEL although a sentence could express it. */
  let asCel: string | undefined;
  let markFaults: (findings: readonly Finding[]) => void = () => undefined;

  function draw(): void {
    markFaults = () => undefined;
    const row = shown;
    if (row === undefined) fields.replaceChildren();
    else drawRow(row);
  }

  function drawRow(row: Row): void {
    const { rule } = row;
    const change = (next: (rule: Rule) => Rule) => acts.change(rule.id, next);
    const form = make(
      "fieldset",
      { disabled: !data.mayWrite },
      labelled(
        text("rules.name"),
        input(text("rules.name"), rule.name, (name) => change((one) => ({ ...one, name })), { maxlength: 256 }),
      ),
      condition(rule, change),
      designs(rule, change),
      period(rule, change),
    );
    fields.replaceChildren(form, ...(data.mayWrite ? [places(row)] : []));
  }

  /** Redraws after a structural change, and keeps the focus at the same place in the form. */
  function redraw(): void {
    const focusable = () => [...fields.querySelectorAll<HTMLElement>("input, select, button")];
    const at = focusable().indexOf(document.activeElement as HTMLElement);
    draw();
    focusable()[Math.min(at, focusable().length - 1)]?.focus();
  }

  function condition(rule: Rule, change: (next: (rule: Rule) => Rule) => void): HTMLElement {
    const expression = rule.cel_expression ?? "";
    const sentence = readSentence(expression);
    const isCel = sentence === undefined || asCel === rule.id;
    const choose = (cel: boolean) => {
      asCel = cel ? rule.id : undefined;
      redraw();
    };
    const asSentence = button(text("rules.sentence"), () => choose(false), {
      "aria-pressed": String(!isCel),
      disabled: sentence === undefined,
    });
    const inCel = button(text("rules.cel"), () => choose(true), { "aria-pressed": String(isCel) });
    const hint = make("p", { class: "hint", hidden: sentence !== undefined }, text("rules.celOnly"));
    const write = (source: string) =>
      change(({ cel_expression: _, ...one }) => (source === "" ? one : { ...one, cel_expression: source }));
    const body = isCel
      ? celField(expression, catalogue, (source) => {
          if (asCel === undefined) asCel = rule.id;
          write(source);
          hint.hidden = readSentence(source) !== undefined;
          asSentence.disabled = !hint.hidden;
        })
      : undefined;
    if (body !== undefined) markFaults = body.showFaults;
    return make(
      "section",
      { class: "part", "aria-label": text("rules.condition") },
      make(
        "header",
        { class: "bar" },
        make("h3", {}, text("rules.condition")),
        make("div", { class: "choices" }, asSentence, inCel),
      ),
      body?.element ??
        sentenceForm(sentence ?? { join: "and", clauses: [] }, catalogue, (next, isStructure) => {
          write(writeSentence(next));
          if (isStructure) redraw();
        }),
      hint,
    );
  }

  function designs(rule: Rule, change: (next: (rule: Rule) => Rule) => void): HTMLElement {
    const set = (design_ids: readonly string[]) => {
      change((one) => ({ ...one, design_ids }));
      redraw();
    };
    const rows = rule.design_ids.map((key, index) => {
      const design = designOf(key);
      const name = designName(key);
      return make(
        "li",
        {},
        make("span", { class: "name" }, name),
        make(
          "span",
          { class: design ? "muted" : "fault" },
          design ? text("rules.sizes", { sizes: sizesOf(design) }) : text("rules.gone"),
        ),
        signButton(
          "↑",
          text("rules.raiseDesign", { design: name }),
          () => {
            const without = rule.design_ids.toSpliced(index, 1);
            set(without.toSpliced(index - 1, 0, key));
          },
          index === 0,
        ),
        signButton("×", text("rules.removeDesign", { design: name }), () => set(rule.design_ids.toSpliced(index, 1))),
      );
    });
    const rest = data.designs.filter(({ key }) => !rule.design_ids.includes(key));
    const options = [
      ["", `${text("rules.addDesign")} …`] as const,
      ...rest.map(({ key, name }) => [key, name] as const),
    ];
    return make(
      "section",
      { class: "part", "aria-label": text("rules.designs") },
      make("h3", {}, text("rules.designs")),
      rows.length === 0
        ? make("p", { class: "hint" }, text("rules.noDesigns"))
        : make("ol", { class: "designs" }, ...rows),
      select(text("rules.addDesign"), options, "", (key) => key !== "" && set([...rule.design_ids, key])),
    );
  }

  function period(rule: Rule, change: (next: (rule: Rule) => Rule) => void): HTMLElement {
    const set = (end: keyof Period, value: string) =>
      change(({ validityPeriod, ...one }) => {
        const { [end]: _, ...other } = validityPeriod ?? {};
        const next = { ...other, ...(value.trim() !== "" && { [end]: value.trim() }) };
        return Object.keys(next).length === 0 ? one : { ...one, validityPeriod: next };
      });
    const end = (name: keyof Period, label: string) =>
      labelled(
        label,
        input(label, rule.validityPeriod?.[name] ?? "", (value) => set(name, value), {
          maxlength: 64,
          "aria-describedby": "period-hint",
        }),
      );
    return make(
      "details",
      { class: "part", open: rule.validityPeriod !== undefined },
      make("summary", {}, text("rules.period")),
      make("div", { class: "pair" }, end("from", text("rules.from")), end("to", text("rules.until"))),
      make("p", { class: "hint", id: "period-hint" }, text("rules.periodHint")),
    );
  }

  function places({ rule, index, siblings, parent }: Row): HTMLElement {
    const step = (sign: string, label: string, one: Step, isOff: boolean) =>
      signButton(sign, label, () => acts.step(rule.id, one), isOff);
    return make(
      "div",
      { class: "buttons places" },
      step("↑", text("rules.up"), "up", index === 0),
      step("↓", text("rules.down"), "down", index === siblings - 1),
      step("→", text("rules.in"), "in", index === 0),
      step("←", text("rules.out"), "out", parent === undefined),
      button(text("rules.addInside"), () => acts.addInside(rule.id), { class: "quiet" }),
      button(text("rules.remove"), () => acts.remove(rule.id), { class: "quiet danger" }),
    );
  }

  return {
    show(row, known) {
      if (row?.rule.id !== shown?.rule.id) asCel = undefined;
      const isSame = row?.rule.id === shown?.rule.id;
      // When the item properties arrive, somebody may already be editing the first rule, which lacks completion until then.
      const hasArrived = known !== catalogue;
      shown = row;
      catalogue = known;
      if (!isSame || !fields.contains(document.activeElement)) draw();
      else if (hasArrived && document.activeElement?.matches("input, select, button")) redraw();
    },
    showFaults: (findings) => markFaults(findings),
  };
}

/** Adds a visible label to an input. */
const labelled = (label: string, field: HTMLElement): HTMLElement =>
  make("label", { class: "field" }, make("span", {}, label), field);
