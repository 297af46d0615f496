import { ProblemError } from "../http/problem-error.ts";
import { ImageFault } from "./image-fault.ts";

/** Makes an ImageFault the answer to a call that sent the image in this form field; passes any other error on. */
export const refuseImage =
  (field: string) =>
  (error: unknown): never => {
    if (!(error instanceof ImageFault)) throw error;
    const errors = [{ pointer: `/${field}`, detail: error.message }];
    throw new ProblemError("invalid-request", `The image ${error.message}.`, { errors });
  };
