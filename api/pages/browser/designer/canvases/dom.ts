/** Creates an element with properties and content. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> & { data?: Readonly<Record<string, string>> } = {},
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const { data = {}, ...rest } = properties;
  const made = Object.assign(document.createElement(name), rest);
  Object.assign(made.dataset, data);
  made.append(...content);
  return made;
}

export const option = (value: string, text: string, isSelected = false): HTMLOptionElement =>
  make("option", { value, textContent: text, selected: isSelected });
