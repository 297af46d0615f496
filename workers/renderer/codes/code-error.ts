/** Thrown where a value cannot be a code, or the code does not fit. The message goes on from the value. */
export class CodeError extends Error {
  override readonly name = "CodeError";
}
