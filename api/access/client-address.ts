import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/**
 * The address that a call came from. An IPv6 address is cut to its /64 network, since one client usually owns a whole
 * /64. Each proxy appends its caller's address to X-Forwarded-For. Only the last `proxies` entries come from trusted
 * proxies; a client can forge every entry before them.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, "headers"> & { socket: Pick<IncomingMessage["socket"], "remoteAddress"> },
  proxies: number,
): string {
  const forwardedAddresses = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const forwarded = proxies > 0 ? forwardedAddresses.at(-proxies)?.trim() : undefined;
  return networkOf((forwarded || socket.remoteAddress) ?? "");
}

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  const whole = [...groups, ...Array.from({ length: missing }, () => "0"), ...(tail ? tail.split(":") : [])];
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
