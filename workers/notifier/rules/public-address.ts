import ipaddr from "ipaddr.js";

/**
 * Whether an address is one of the public internet. A subscription must not make Shelfwire call what stands beside it:
 * its own machine, its network, or a cloud's metadata service (design, section 7).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address in IPv6 clothes is judged as what it is.
  return ipaddr.process(address).range() === "unicast";
}

/** Why an address that stands in the URL itself is not called: no name is looked up for it. */
export function privateHost(url: string): string | undefined {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const isAddress = /^[\d.]+$/.test(host) || host.includes(":");
  return isAddress && !isPublicAddress(host) ? `${host} is not an address of the public internet` : undefined;
}
