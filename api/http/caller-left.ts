/** Whether an answer that is streamed ended since its caller went away, as every page does that has a tail open. */
export const hasCallerLeft = (error: Error): boolean =>
  (error as { code?: string }).code === "ERR_STREAM_PREMATURE_CLOSE";
