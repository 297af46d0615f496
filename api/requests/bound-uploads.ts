import type { StoredUploads } from "../../records/files/stored-uploads.ts";
import type { Uploads } from "../../records/files/uploads.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { tenantLimits } from "../../schemas/tenant-limits.ts";
import { ProblemError } from "../http/problem-error.ts";

interface Options {
  limits: Pick<typeof tenantLimits, "uploads" | "uploadBytes">;
  readStored(tenant: string): Promise<StoredUploads>;
  /** The current time in milliseconds. */
  clock(): number;
}

/** The uploads at the latest count, and those that this process has stored since. */
interface Known extends StoredUploads {
  countedAt: number;
}

const COUNT_INTERVAL_MS = 2_000;
const RETRY_AFTER_SECONDS = 300;
const MAX_TENANTS = 10_000;

/** Limits each tenant's stored uploads, in number and bytes. They are counted every few seconds while the tenant sends. */
export function boundUploads(put: Uploads["put"], { limits, readStored, clock }: Options): Uploads["put"] {
  const byTenant = new Map<string, Promise<Known>>();

  async function count(tenant: string): Promise<Known> {
    return { ...(await readStored(tenant)), countedAt: clock() };
  }

  async function knownOf(tenant: string): Promise<Known> {
    const present = await byTenant.get(tenant)?.catch(() => undefined);
    if (present !== undefined && clock() - present.countedAt < COUNT_INTERVAL_MS) return present;
    if (byTenant.size >= MAX_TENANTS) byTenant.clear();
    const counting = count(tenant);
    byTenant.set(tenant, counting);
    return counting;
  }

  return async (store, file) => {
    const known = await knownOf(tenantOf(store));
    const { uploads, uploadBytes } = limits;
    if (known.files + 1 > uploads) throw refusal(`A tenant can have at most ${uploads} stored uploads.`);
    if (known.bytes + file.length > uploadBytes) {
      const detail = `The stored uploads of a tenant can have at most ${uploadBytes / 2 ** 20} MiB in total, which this upload would exceed.`;
      throw refusal(detail);
    }
    known.files += 1;
    known.bytes += file.length;
    return put(store, file);
  };
}

const refusal = (detail: string) =>
  new ProblemError(
    "too-much-waiting",
    `${detail} Files for designs, and files from which page images are drawn, are kept until they are removed or replaced; all others are deleted after an hour. Remove files that no label needs, or send this file again later.`,
    {
      headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
    },
  );
