type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Creates an element with attributes: an attribute that is true is present, one that is false or undefined is absent. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : String(value));
  made.append(...children);
  return made;
}

/** Creates a button that runs something. */
export function button(label: string, run: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = make("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", run);
  return made;
}

/** Creates a small button with a symbol; its label is read aloud and shown as a tooltip. */
export const signButton = (sign: string, label: string, run: () => void, isOff = false): HTMLButtonElement =>
  button(sign, run, { class: "sign", "aria-label": label, title: label, disabled: isOff });

/** Creates an option for a select. */
export const option = (value: string, shown: string, isSelected = false): HTMLOptionElement =>
  make("option", { value, selected: isSelected }, shown);

/** Creates a labelled select. */
export function select(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
  change: (value: string) => void,
): HTMLSelectElement {
  const made = make(
    "select",
    { "aria-label": label },
    ...options.map(([value, shown]) => option(value, shown, value === chosen)),
  );
  made.addEventListener("change", () => change(made.value));
  return made;
}

/** Creates a labelled input. */
export function input(
  label: string,
  value: string,
  change: (value: string) => void,
  attributes: Attributes = {},
): HTMLInputElement {
  const made = make("input", { "aria-label": label, autocomplete: "off", spellcheck: "false", ...attributes });
  made.value = value;
  made.addEventListener("input", () => change(made.value));
  return made;
}
