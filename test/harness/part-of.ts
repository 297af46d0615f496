/** Parts that replace a whole. The given parts are type-checked, and code that uses other parts fails. */
export const partOf = <Whole>(parts: Partial<NoInfer<Whole>>): Whole => parts as Whole;

/** A value that the compiler refuses, as a caller who does not use one sends it. */
export const unchecked = <Type>(value: unknown): Type => value as Type;
