/**
 * What went wrong with a call to another server, such as ECONNREFUSED. An error's message has the server's address and
 * name, which are for the log and the operator only: tenants read this.
 */
export function faultOfCall(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : String(name ?? "Error");
}
