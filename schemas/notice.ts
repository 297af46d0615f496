import { Type } from "typebox";

/**
 * Messages for people, each with a code and the values in its sentence. Each table of codes has the English sentences, with
 * `{name}` for a value; pages show them in their language by the same code (api/pages/messages).
 */
export interface Notice<Code extends string = string> {
  code: Code;
  values: Readonly<Record<string, string>>;
}

/** A notice in a response, next to its English sentence. */
export const Notice = Type.Object(
  {
    code: Type.String({
      description: "Code of the message, such as ITEM_UNKNOWN; a later release may add codes",
    }),
    values: Type.Unsafe<Readonly<Record<string, string>>>(
      Type.Object({}, { additionalProperties: Type.String(), description: "The values in its sentence, by name" }),
    ),
  },
  { title: "Notice", description: "A message by its code and values" },
);

/** The names of the values in a sentence. */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `{${infer Inner}` ? Inner : Name) | NamesIn<Rest>
  : never;

/** Fills the values into a sentence. */
export const fillIn = (sentence: string, valueNamed: (name: string) => string | undefined): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => valueNamed(name) ?? "");

/** Returns functions that make a table's notices, each with every value in its sentence, and that write them in English. */
export function noticesOf<Texts extends Readonly<Record<string, string>>>(texts: Texts) {
  type Code = keyof Texts & string;
  return {
    notice: <One extends Code>(
      code: One,
      given: Readonly<Record<NamesIn<Texts[One]>, string | number>>,
    ): Notice<One> => ({
      code,
      values: Object.fromEntries(Object.entries<string | number>(given).map(([name, value]) => [name, String(value)])),
    }),
    text: ({ code, values }: Notice<Code>): string => fillIn(texts[code] ?? "", (name) => values[name]),
  };
}
