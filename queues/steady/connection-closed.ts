/** ioredis's message for commands whose connection has ended or was never established. It has no class for this error. */
export const CONNECTION_CLOSED = "Connection is closed.";
