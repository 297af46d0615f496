/**
 * Returns what went wrong with a call to another server, as a code such as ECONNREFUSED. Tenants read this text. The error's
 * message, which contains the server's address and name, is only for the log and the operator.
 */
export function faultOfCall(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : String(name ?? "Error");
}
