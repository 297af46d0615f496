import type { Texts } from "../../../texts.ts";
import { make, option } from "../../make.ts";
import type { Unit } from "../document/lengths.ts";
import type { Property } from "../trial/items.ts";
import { chipField } from "./chips.ts";
import { chosenValue, isWithin, readEntry, shownEntry } from "./entries.ts";
import type { FormField } from "./form-field.ts";
import { said } from "./names.ts";

export interface ControlWorld {
  text: Texts;
  catalogue: readonly Property[];
  unit: Unit;
  dpi: number;
  /** The colours of the displayed label. */
  colors: readonly string[];
  isOpen: boolean;
  /** Sets a field; undefined removes it. */
  set(name: string, value: unknown): void;
  /** Reports that an entry is not valid. */
  refuse(field: FormField, entry: string): void;
}

/** Returns the input for a field of an element. */
export function controlFor(field: FormField, value: unknown, label: string, world: ControlWorld): HTMLElement {
  switch (field.control) {
    case "template":
      return chipField(typeof value === "string" ? value : "", {
        ...world,
        label,
        change: (template) => world.set(field.name, template),
      });
    case "choice":
    case "font":
      return choiceFor(field, value, world);
    case "color":
    case "ink":
      return colorFor(field, value, world);
    default:
      return inputFor(field, value, world);
  }
}

function inputFor(field: FormField, value: unknown, world: ControlWorld): HTMLInputElement {
  const { control, name, maxLength } = field;
  const input = make("input", { name, autocomplete: "off", spellcheck: "false", readonly: !world.isOpen });
  input.value = shownEntry(field, value, world);
  if (maxLength !== undefined) input.maxLength = maxLength;
  if (control === "length" || control === "integer") input.inputMode = "decimal";
  input.addEventListener("input", () => {
    const read = readEntry(field, input.value, world.unit);
    const isValid = read !== "invalid" && isWithin(field, read);
    input.setAttribute("aria-invalid", String(!isValid));
    if (isValid) world.set(name, read);
    else world.refuse(field, input.value);
  });
  return input;
}

function choiceFor({ name, control, options = [], isRequired }: FormField, value: unknown, world: ControlWorld) {
  const shown = value === undefined ? "" : String(value);
  const all = control === "font" && shown !== "" && !options.includes(shown) ? [...options, shown] : options;
  const select = make("select", { name, disabled: !world.isOpen });
  if (!isRequired) select.append(option("", "–"));
  select.append(...all.map((one) => option(one, said(world.text, `canvas.option.${one}`, one), one === shown)));
  select.addEventListener("change", () => world.set(name, chosenValue(select.value)));
  return select;
}

/** A select for the label's colours. Any colour other than black and white is followed by black, for labels that lack it. */
function colorFor({ name, control, isRequired }: FormField, value: unknown, world: ControlWorld): HTMLSelectElement {
  const { text, colors } = world;
  const named = (color: string) => said(text, `color.${color}`, color);
  const plain = colors.filter((color) => color === "white" || color === "black");
  const bright = colors.filter((color) => color !== "white" && color !== "black");
  const choices: [value: unknown, label: string][] = [
    ...(control === "ink" ? [["contrast", text("canvas.option.contrast")] as [unknown, string]] : []),
    ...plain.map((color): [unknown, string] => [color, named(color)]),
    ...bright.map((color): [unknown, string] =>
      name === "background" ? [color, named(color)] : [[color, "black"], named(color)],
    ),
  ];
  const present = JSON.stringify(value);
  const isListed = value === undefined || choices.some(([one]) => JSON.stringify(one) === present);
  const all = isListed
    ? choices
    : [...choices, [value, [value].flat().map(String).map(named).join(", ")] as [unknown, string]];
  const select = make("select", { name, disabled: !world.isOpen });
  if (!isRequired) select.append(option("", "–"));
  select.append(...all.map(([one, label]) => option(JSON.stringify(one), label, JSON.stringify(one) === present)));
  select.addEventListener("change", () => world.set(name, select.value === "" ? undefined : JSON.parse(select.value)));
  return select;
}
