import type { WaitingUploads } from "../../records/requests/in-flight.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { bodyLimits } from "../body/body-limits.ts";
import { ProblemError } from "../http/problem-error.ts";

const RETRY_AFTER_SECONDS = 5;

/**
 * Limits how many uploads of each tenant may be waiting to be drawn, and their pixels, so that no tenant occupies the pages
 * worker for minutes. Uploads that this process is accepting count in addition to those in the journal.
 */
export function createUploadBounds(
  readWaiting: (tenant: string) => Promise<WaitingUploads>,
  {
    maxWaiting,
    maxPixelsWaiting,
  }: Pick<typeof bodyLimits.upload, "maxWaiting" | "maxPixelsWaiting"> = bodyLimits.upload,
) {
  const accepting = new Map<string, WaitingUploads>();

  function add(tenant: string, uploads: number, pixels: number): WaitingUploads {
    const before = accepting.get(tenant) ?? { uploads: 0, pixels: 0 };
    const after = { uploads: before.uploads + uploads, pixels: before.pixels + pixels };
    if (after.uploads === 0) accepting.delete(tenant);
    else accepting.set(tenant, after);
    return after;
  }

  function refuse(detail: string): never {
    const headers = { "retry-after": String(RETRY_AFTER_SECONDS) };
    throw new ProblemError("too-much-waiting", `${detail} Send this one again later.`, { headers });
  }

  return async <Answer>(store: string, pixels: number, accept: () => Promise<Answer>): Promise<Answer> => {
    const tenant = tenantOf(store);
    const held = add(tenant, 1, pixels);
    try {
      const waiting = await readWaiting(tenant);
      if (waiting.uploads + held.uploads > maxWaiting)
        refuse(`A tenant can have at most ${maxWaiting} uploads waiting to be drawn.`);
      const sum = waiting.pixels + held.pixels;
      if (sum > maxPixelsWaiting)
        refuse(
          `The uploads of a tenant that wait to be drawn can have at most ${maxPixelsWaiting} pixels in total, not ${sum}.`,
        );
      return await accept();
    } finally {
      add(tenant, -1, -pixels);
    }
  };
}
