const NUMBERS = /\d+(?:[.,]\d+)*/g;
const NUMBER_WITH_UNIT =
  /\d+(?:[.,]\d+)*(?: x \d+(?:[.,]\d+)*)? (?:kg|g|l|L|ml|cl|lt|dkg|W|%|ks|kpl|db|szt\.|adet|ad|Stück|pièces|WL|τεμ\.?|γρ|λτ)(?![\p{L}\p{N}])/gu;

interface Shown {
  lines: readonly string[];
  isCut: boolean;
}

/**
 * Returns why a shown name misleads, or undefined if it does not. A name must be shown completely or with one ellipsis;
 * numbers must be complete; a number must be on one line with its unit; omissions must be reported (`isCut`).
 */
export function misleading(name: string, { lines, isCut }: Shown): string | undefined {
  const bare = (text: string) => text.replace(/[\s\u00a0]/g, "");
  const all = lines.map((line, index) => (index < lines.length - 1 ? line.replace(/(?<=\p{L})-$/u, "-?") : line));
  const shown = bare(all.join(" "));
  const parts = shown.split("…");
  if (parts.length - 1 !== (isCut ? 1 : 0)) return `has ${parts.length - 1} ellipses`;
  const pattern = parts
    .map((part) =>
      part
        .split("-?")
        .map((one) => RegExp.escape(one))
        .join("-?"),
    )
    .join(".+");
  if (!new RegExp(`^${pattern}${parts.at(-1) === "" ? "" : "$"}`, "u").test(bare(name))) return "shows other letters";
  const numbers: readonly string[] = name.match(NUMBERS) ?? [];
  const wrong = lines
    .join("\n")
    .match(NUMBERS)
    ?.find((number) => !numbers.includes(number));
  if (wrong !== undefined) return `shows ${wrong}, a part of a number`;
  for (const [whole] of name.matchAll(NUMBER_WITH_UNIT)) {
    const [number = ""] = whole.split(" ");
    const line = lines.find((one) => one.match(NUMBERS)?.includes(number));
    const isElsewhere = numbers.filter((one) => one === number).length > 1;
    if (line !== undefined && !isElsewhere && !lines.some((one) => one.includes(whole))) return `splits ${whole}`;
  }
  return undefined;
}
