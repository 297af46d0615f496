/** Whether a streamed response ended because its caller disconnected, as every page with an open tail does. */
export const hasCallerLeft = (error: Error): boolean =>
  (error as { code?: string }).code === "ERR_STREAM_PREMATURE_CLOSE";
