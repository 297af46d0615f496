import type { AcceptedRequest, JournaledChunk } from "../../records/requests/chunks.ts";
import type { RowsInFlight } from "../../records/requests/in-flight.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { tenantLimits } from "../../schemas/tenant-limits.ts";
import { ProblemError } from "../http/problem-error.ts";

type Accept = (request: AcceptedRequest) => Promise<JournaledChunk[]>;

interface Options {
  limits: Pick<typeof tenantLimits, "rowsInFlight" | "chunksInFlight">;
  readInFlight(tenant: string): Promise<RowsInFlight>;
  /** The current time in milliseconds. */
  clock(): number;
  onError(error: Error): void;
}

/** A tenant's known load: the latest count of the journal, and what this process has accepted since. */
interface Known extends RowsInFlight {
  countedAt: number;
  /** Set while the journal is counted. */
  counting?: Promise<void> | undefined;
}

const COUNT_INTERVAL_MS = 1_000;
const RETRY_AFTER_SECONDS = 5;
const MAX_TENANTS = 10_000;

/**
 * Limits the accepted but unapplied rows and chunks of each tenant. The journal is counted in parallel with the acceptance, at
 * most once a second for each tenant that is sending. Only a request that would be rejected waits for a fresh count. Tenants
 * are counted separately, so that none is rejected because of another.
 */
export function boundRows(accept: Accept, { limits, readInFlight, clock, onError }: Options): Accept {
  const byTenant = new Map<string, Known>();

  function knownOf(tenant: string): Known {
    const present = byTenant.get(tenant);
    if (present) return present;
    if (byTenant.size >= MAX_TENANTS) byTenant.clear();
    const known = { rows: 0, chunks: 0, countedAt: Number.NEGATIVE_INFINITY };
    byTenant.set(tenant, known);
    return known;
  }

  const isOld = ({ countedAt }: Known): boolean => clock() - countedAt >= COUNT_INTERVAL_MS;

  /** A failed count rejects no request, since the acceptance itself reports that the database is unavailable. */
  async function countJournal(tenant: string, known: Known): Promise<void> {
    const before = { rows: known.rows, chunks: known.chunks };
    const found = await readInFlight(tenant).catch((error: Error) => {
      onError(error);
      return { rows: 0, chunks: 0 };
    });
    // Rows accepted during the count may also be included in it, and then count twice until the next count.
    known.rows += found.rows - before.rows;
    known.chunks += found.chunks - before.chunks;
    known.countedAt = clock();
    known.counting = undefined;
  }

  function count(tenant: string, known: Known): Promise<void> {
    known.counting ??= countJournal(tenant, known);
    return known.counting;
  }

  return async (request) => {
    const tenant = tenantOf(request.store);
    const known = knownOf(tenant);
    const rows = request.weights?.reduce((sum, weight) => sum + weight, 0) ?? request.rows.length;
    if (isOld(known)) {
      const counted = count(tenant, known);
      if (refusalOf(known, rows, limits) !== undefined) await counted;
    }
    const refusal = refusalOf(known, rows, limits);
    if (refusal !== undefined)
      throw new ProblemError("too-much-waiting", refusal, { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
    known.rows += rows;
    known.chunks += 1;
    try {
      return await accept(request);
    } catch (error) {
      known.rows = Math.max(0, known.rows - rows);
      known.chunks = Math.max(0, known.chunks - 1);
      throw error;
    }
  };
}

/**
 * Returns why a request with this many rows is rejected now; undefined if it is accepted. A request is always accepted if no
 * other is waiting.
 */
function refusalOf({ rows, chunks }: RowsInFlight, more: number, limits: Options["limits"]): string | undefined {
  if (rows > 0 && rows + more > limits.rowsInFlight)
    return `At most ${limits.rowsInFlight} rows of a tenant can wait to be applied; ${rows} are waiting, and this request has ${more}. Send it again later.`;
  if (chunks >= limits.chunksInFlight)
    return `At most ${limits.chunksInFlight} parts of a tenant's requests can wait to be applied, and ${chunks} are waiting. Send it again later, with more rows per request.`;
  return undefined;
}
