import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup } from "node:dns/promises";
import pLimit from "p-limit";

type Resolve = (hostname: string) => Promise<LookupAddress[]>;
type Reply = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/**
 * At most this many look-ups run at a time; further look-ups queue. Each takes one of the process's four threads for names, files
 * and compression, and look-ups that hang must leave some threads free.
 */
const MAX_CONCURRENT = 2;
const turns = pLimit(MAX_CONCURRENT);
/** After this time, an address is looked up again in the background, while the known address is used. */
const FRESH_MS = 10_000;
/** A known address is used for at most this long. */
const KNOWN_MS = 600_000;

const resolveAll: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * Looks up a label server's address once for all its connections, and caches it, so that look-ups that hang do not delay label
 * servers whose addresses are known. The returned function has the signature of `dns.lookup`.
 */
export function createLookUp(clock: () => number, resolve: Resolve = resolveAll) {
  let known: { addresses: LookupAddress[]; at: number } | undefined;
  let running: Promise<LookupAddress[]> | undefined;

  function refresh(hostname: string): Promise<LookupAddress[]> {
    running ??= turns(resolve, hostname)
      .then((addresses) => {
        known = { addresses, at: clock() };
        return addresses;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  async function addressesOf(hostname: string): Promise<LookupAddress[]> {
    const age = known ? clock() - known.at : Number.POSITIVE_INFINITY;
    if (known === undefined || age > KNOWN_MS) return refresh(hostname);
    // The next connection repeats a failed look-up.
    if (age > FRESH_MS) void refresh(hostname).catch(() => {});
    return known.addresses;
  }

  return (hostname: string, { all = false }: LookupOptions, reply: Reply): void =>
    void addressesOf(hostname).then(
      (addresses) => {
        const [{ address, family } = { address: "", family: 0 }] = addresses;
        if (all) reply(null, addresses);
        else reply(null, address, family);
      },
      (error: NodeJS.ErrnoException) => reply(error, []),
    );
}
