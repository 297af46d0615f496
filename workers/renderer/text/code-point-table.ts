/** The letters of Latin, Greek and Cyrillic: nearly all that labels show. */
const NEAR = 0x600;

/** Something by code point. A list with large holes would be as slow as a dictionary; so the rare ones are apart. */
export interface CodeTable<Value> {
  near: (Value | undefined)[];
  far: Map<number, Value>;
}

export const createCodeTable = <Value>(): CodeTable<Value> => ({
  near: new Array(NEAR).fill(undefined),
  far: new Map(),
});

export const getCode = <Value>({ near, far }: CodeTable<Value>, code: number): Value | undefined =>
  code < NEAR ? near[code] : far.get(code);

export function setCode<Value>({ near, far }: CodeTable<Value>, code: number, value: Value): void {
  if (code < NEAR) near[code] = value;
  else far.set(code, value);
}
