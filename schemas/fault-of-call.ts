/**
 * Returns what went wrong with a call to another server, as a code such as ECONNREFUSED. The error's message contains the
 * server's address and name, which only the log and the operator may see: tenants read this.
 */
export function faultOfCall(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : String(name ?? "Error");
}
