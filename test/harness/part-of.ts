/** Parts that stand for a whole. What a test gives is checked, and code that uses more of the whole fails. */
export const partOf = <Whole>(parts: Partial<NoInfer<Whole>>): Whole => parts as Whole;

/** A value that the compiler refuses, as a caller who does not use one sends it. */
export const unchecked = <Type>(value: unknown): Type => value as Type;
