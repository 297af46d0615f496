import ipaddr from "ipaddr.js";

/**
 * Whether an address belongs to the public internet. A subscription must not make Shelfwire call its own machine, its
 * network or a cloud's metadata service.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4-mapped IPv6 address is checked as the IPv4 address it maps.
  return ipaddr.process(address).range() === "unicast";
}

/** The reason to refuse a URL whose host is an address, which needs no lookup; undefined where it may be called. */
export function privateHost(url: string): string | undefined {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const isAddress = /^[\d.]+$/.test(host) || host.includes(":");
  return isAddress && !isPublicAddress(host) ? `${host} is not an address of the public internet` : undefined;
}
