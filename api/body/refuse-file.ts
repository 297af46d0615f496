import { ProblemError } from "../http/problem-error.ts";

/**
 * Thrown if a file is refused as an image or a font. Its message completes "The image ..." or "The font ..." in the
 * response.
 */
export class FileFault extends Error {
  override readonly name: string = "FileFault";
}

/** Turns a FileFault into the response to a call that sent such a file in this form field; rethrows any other error. */
export const refuseFile =
  (what: "image" | "font", field: string) =>
  (error: unknown): never => {
    if (!(error instanceof FileFault)) throw error;
    const errors = [{ pointer: `/${field}`, detail: error.message }];
    throw new ProblemError("invalid-request", `The ${what} ${error.message}.`, { errors });
  };
