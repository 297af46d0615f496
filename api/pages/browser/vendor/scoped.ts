/** Rules whose selectors apply below an element of this class: `:host` and an absent selector mean that element. */
export function scoped(css: string, className: string): string {
  const selectorOf = (selector: string): string => {
    const text = selector.trim();
    if (text === "") return `.${className}`;
    if (text.startsWith("@")) return text;
    if (text.includes(":global")) return text.replaceAll(":global", "").trim();
    if (text.includes(":host")) return text.replaceAll(":host", `.${className}`);
    return `.${className} ${text}`;
  };
  return css.replace(
    /([^};{\s][^};{]*|^\s*)\{/gm,
    (_, selectors: string) => `${selectors.split(",").map(selectorOf).join(", ")} {`,
  );
}
