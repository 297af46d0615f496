/** Code points below this are stored in an array: Latin, Greek and Cyrillic, nearly all characters on labels. */
const ARRAY_SIZE = 0x600;

/** Values by code point. Rare code points are in a map, because an array with large gaps is slow. */
export interface CodeTable<Value> {
  near: (Value | undefined)[];
  far: Map<number, Value>;
}

export const createCodeTable = <Value>(): CodeTable<Value> => ({
  near: new Array(ARRAY_SIZE).fill(undefined),
  far: new Map(),
});

export const getCode = <Value>({ near, far }: CodeTable<Value>, code: number): Value | undefined =>
  code < ARRAY_SIZE ? near[code] : far.get(code);

export function setCode<Value>({ near, far }: CodeTable<Value>, code: number, value: Value): void {
  if (code < ARRAY_SIZE) near[code] = value;
  else far.set(code, value);
}

/** Calls `visit` with each code point of a text. Allocating a string for each code point would take longer than drawing it. */
export function eachCode(text: string, visit: (code: number) => void): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) as number;
    if (code > 0xffff) at += 1;
    visit(code);
  }
}
