/** Returns some parts of a whole in its place. The given parts are type-checked, and code that uses other parts fails. */
export const partOf = <Whole>(parts: Partial<NoInfer<Whole>>): Whole => parts as Whole;

/** Returns a value that the compiler refuses, such as one that a caller without TypeScript may send. */
export const unchecked = <Type>(value: unknown): Type => value as Type;
