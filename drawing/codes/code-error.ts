/**
 * Thrown if a value cannot be encoded or the code does not fit. The message continues a sentence that begins with the
 * value.
 */
export class CodeError extends Error {
  override readonly name = "CodeError";
}
