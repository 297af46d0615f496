/** A token that sentences can express. */
export type Token =
  | { kind: "text"; value: string }
  | { kind: "number"; value: string }
  | { kind: "name"; value: string }
  | { kind: "sign"; value: string };

const pieces =
  /\s*(?:(?<name>[A-Za-z_]\w*)|(?<number>\d+(?:\.\d+)?)(?![\w.])|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<sign>&&|\|\||[=!<>]=|[<>!()[\].,*-]))/y;

/** Returns the tokens of an expression; undefined if it contains others, such as comments, which a sentence would lose. */
export function tokensOf(source: string): Token[] | undefined {
  const tokens: Token[] = [];
  const end = source.trimEnd().length;
  pieces.lastIndex = 0;
  while (pieces.lastIndex < end) {
    const { name, number, text, sign } = pieces.exec(source)?.groups ?? {};
    const value = text === undefined ? undefined : unquoted(text);
    if (name !== undefined) tokens.push({ kind: "name", value: name });
    else if (number !== undefined) tokens.push({ kind: "number", value: number });
    else if (value !== undefined) tokens.push({ kind: "text", value });
    else if (sign !== undefined) tokens.push({ kind: "sign", value: sign });
    else return undefined;
  }
  return tokens;
}

const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Returns the value of a string in quotes; undefined if it has escapes that JSON lacks. */
function unquoted(text: string): string | undefined {
  let isKnown = true;
  const value = text.slice(1, -1).replace(/\\(?:u([0-9A-Fa-f]{4})|(.))/g, (_, code?: string, character?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (character !== undefined && /["'\\/`?]/.test(character)) return character;
    const escaped = escapes[character ?? ""];
    isKnown &&= escaped !== undefined;
    return escaped ?? "";
  });
  return isKnown ? value : undefined;
}
