import { limits } from "./limits.ts";

/** Why an expression is rejected, and for which part of its source. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  /** Offsets of the first affected character and of the character after the last one. */
  readonly start: number;
  readonly end: number;
  /** Line and column of the first character, both counted from 1. */
  readonly line: number;
  readonly column: number;
  constructor(message: string, source: string, start: number, end: number) {
    super(message);
    this.start = start;
    this.end = end;
    const lines = source.slice(0, start).split("\n");
    this.line = lines.length;
    this.column = (lines.at(-1)?.length ?? 0) + 1;
  }
}

/**
 * The fields of the library's errors. All but `message` are optional, because other errors are thrown through the
 * library.
 */
export interface LibraryError {
  code?: string;
  summary?: string;
  message: string;
  range?: { start: number; end: number };
  node?: { start: number; end: number };
}

/** Turns a compile error of the library into an ExpressionError in plain words. */
export function refusal(error: LibraryError, source: string, roots: readonly string[]): ExpressionError {
  const start = Math.min(error.range?.start ?? 0, source.length);
  const end = Math.min(Math.max(error.range?.end ?? start, start), source.length);
  return new ExpressionError(plainText(error, source, start, end, roots), source, start, end);
}

function plainText(
  { code, summary, message }: LibraryError,
  source: string,
  start: number,
  end: number,
  roots: readonly string[],
): string {
  const text = summary ?? message;
  switch (code) {
    case "unexpected_character":
    case "unexpected_token":
      return start >= source.length
        ? "the expression is incomplete"
        : `${quoted(source.slice(start, end))} is not allowed here`;
    case "expected_token":
      return `${expectedToken(text)} is missing here`;
    case "unterminated_string":
    case "unterminated_triple_quoted_string":
      return "the string that begins here has no closing quote";
    case "newline_in_string":
      return "a string must end on the line on which it begins";
    case "reserved_identifier":
      return `${quoted(source.slice(start, end))} is a reserved word`;
    case "limit_exceeded":
      return exceededLimit(text);
    case "unknown_variable":
      return `${quoted(source.slice(start, end))} does not exist: an expression can use ${roots.join(", ")}`;
    case "no_such_overload":
      return `${text.replace("no such overload: ", "")} is not possible: the two sides have different types${numberHint(text)}`;
    case "no_matching_overload":
      return `no function accepts this: ${text.replace(/^found no matching overload for '(.*)'$/s, "$1")}`;
    default:
      return text;
  }
}

/**
 * Quotes a piece of source for a message. Characters beyond ASCII are also named by their code points, because they are
 * easily mistaken for others.
 */
function quoted(piece: string): string {
  const strange = [...piece].find((character) => !/[\x20-\x7e]/.test(character));
  const number = strange?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return number ? `${JSON.stringify(piece)} (U+${number})` : JSON.stringify(piece);
}

const tokens: Readonly<Record<string, string>> = {
  EOF: "the end",
  LPAREN: "a (",
  RPAREN: "a )",
  LBRACKET: "a [",
  RBRACKET: "a ]",
  LBRACE: "a {",
  RBRACE: "a }",
  COLON: "a :",
  COMMA: "a ,",
  IDENTIFIER: "a name",
};

function expectedToken(summary: string): string {
  const name = /^Expected (\w+),/.exec(summary)?.[1] ?? "";
  return tokens[name] ?? name;
}

function exceededLimit(summary: string): string {
  if (summary.includes("maxAstNodes")) return `an expression can have at most ${limits.nodes} parts`;
  if (summary.includes("maxDepth")) return `an expression can be nested at most ${limits.depth} levels deep`;
  if (summary.includes("maxListElements")) return `a list can have at most ${limits.listElements} elements`;
  if (summary.includes("maxMapEntries")) return `a map can have at most ${limits.listElements} entries`;
  return summary;
}

function numberHint(summary: string): string {
  const isTextWithNumber = /: (?:string \S+ (?:int|uint|double)|(?:int|uint|double) \S+ string)$/;
  return isTextWithNumber.test(summary) ? "; double(...) or int(...) converts a string to a number" : "";
}
