import { Type } from "typebox";

/**
 * What Shelfwire reports to people, by its code and the values of its sentence. Each table of codes has the English
 * sentence, with `{name}` for a value; pages say it in their language by the same code (api/pages/messages).
 */
export interface Notice<Code extends string = string> {
  code: Code;
  values: Readonly<Record<string, string>>;
}

/** A notice in a response. Its English sentence is beside it. */
export const Notice = Type.Object(
  {
    code: Type.String({
      description: "What is reported, such as ITEM_UNKNOWN; a later release may have further codes",
    }),
    values: Type.Unsafe<Readonly<Record<string, string>>>(
      Type.Object(
        {},
        { additionalProperties: Type.String(), description: "The values of its sentence, by their names" },
      ),
    ),
  },
  { title: "Notice", description: "What is reported, by its code and values" },
);

/** The names of the values in a sentence. */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `{${infer Inner}` ? Inner : Name) | NamesIn<Rest>
  : never;

/** A sentence with its values. */
export const fillIn = (sentence: string, valueNamed: (name: string) => string | undefined): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => valueNamed(name) ?? "");

/** Makes notices of a table of sentences, each with every value that its sentence has, and writes them in English. */
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
