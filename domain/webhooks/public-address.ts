import ipaddr from "ipaddr.js";
import { callNotice } from "../../schemas/call-notice.ts";
import { SettingsError } from "../../schemas/environment.ts";
import type { Notice } from "../../schemas/notice.ts";

/** The only IPv6 block from which public addresses are assigned. Embedded IPv4 forms are outside it. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");
/** Azure's platform address. It responds only inside the cloud's networks, but its range is public. */
const AZURE_PLATFORM = "168.63.129.16";

/**
 * Whether an address belongs to the public internet. A subscription must not make Shelfwire call its own machine, its
 * network or a cloud's metadata service.
 */
export function isPublicAddress(address: string): boolean {
  // The library treats the older form `::8.8.8.8` as an IPv4-mapped address.
  if (!ipaddr.isValid(address) || /^::\d+\./.test(address)) return false;
  // An IPv4-mapped IPv6 address is checked as the IPv4 address in it.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || parsed.toString() === AZURE_PLATFORM) return false;
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_IPV6);
}

/** The private addresses that an operator lets subscriptions call. */
export interface PrivateReceivers {
  /** Whether a name may lead to a private address at this port. `host` is a URL's host name. */
  hasName(host: string, port: number): boolean;
  /** Whether this address may be called at this port. */
  hasAddress(address: string, port: number): boolean;
}

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/**
 * Reads the setting WEBHOOKS_PRIVATE: `host:port` entries, separated by commas. A host is a name, an address or a network in
 * CIDR form, with IPv6 in square brackets. The port `*` means every port. Throws if a network is invalid.
 */
export function parsePrivateReceivers(list: string): PrivateReceivers {
  const entries = list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => {
      const [, host = "", port = ""] = /^(.*):(\*|\d+)$/.exec(entry) ?? [];
      const fits = (asked: number) => port === "*" || Number(port) === asked;
      return { fits, network: networkOf(host, entry), name: nameOf(host) };
    });
  return {
    hasName: (host, port) => entries.some(({ fits, network, name }) => !network && name === nameOf(host) && fits(port)),
    hasAddress(address, port) {
      if (!ipaddr.isValid(address)) return false;
      const parsed = ipaddr.process(address);
      return entries.some(
        ({ fits, network }) => network && fits(port) && network[0].kind() === parsed.kind() && parsed.match(network),
      );
    },
  };
}

/** Returns the network of a listed host. Undefined if it is a name. */
function networkOf(host: string, entry: string): Network | undefined {
  const plain = host.replace(/^\[|\]$/g, "");
  if (ipaddr.isValidCIDR(plain)) return ipaddr.parseCIDR(plain);
  if (ipaddr.isValid(plain)) {
    const address = ipaddr.process(plain);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  }
  if (/[/[\]:]/.test(host))
    throw new SettingsError([
      `WEBHOOKS_PRIVATE: "${entry}" does not contain a network such as 10.1.0.0/16 or [fd00::/8]`,
    ]);
  return undefined;
}

const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, "");

/** Returns the port of a URL. */
export const portOf = ({ port, protocol }: Pick<URL, "port" | "protocol">): number =>
  Number(port || (protocol === "https:" ? 443 : 80));

/** Returns the reason to reject a URL whose host is an address, so no lookup is needed. Undefined if it may be called. */
export function privateHost(url: string, allowed: PrivateReceivers): Notice<"ADDRESS_PRIVATE"> | undefined {
  const parsed = new URL(url);
  const host = parsed.hostname.replace(/^\[|\]$/g, "");
  const isAddress = /^[\d.]+$/.test(host) || host.includes(":");
  if (!isAddress || isPublicAddress(host) || allowed.hasAddress(host, portOf(parsed))) return undefined;
  return callNotice("ADDRESS_PRIVATE", { host });
}
