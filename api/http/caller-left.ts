/** Whether a streamed response ended because its caller disconnected, as happens to every page with an open tail. */
export const hasCallerLeft = (error: Error): boolean =>
  (error as { code?: string }).code === "ERR_STREAM_PREMATURE_CLOSE";
