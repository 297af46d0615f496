import { createHash } from "node:crypto";
import { Pool } from "undici";

/** A page's picture on its way to a label. */
export interface PageToSend {
  store: string;
  barcode: string;
  page: number;
  /** Number of the transmission: the same for its retries. */
  number: number;
  png: Uint8Array;
  priority: "high" | "normal";
  transceivers: readonly string[];
}

/** What a label server says to a picture. `later`: it is busy or away, and nothing is wrong with the picture. */
export type Answer = { kind: "accepted" } | { kind: "later"; afterMs: number } | { kind: "refused"; reason: string };

/** What the transmitter needs of a driver. */
export interface LabelServer {
  sendPage(page: PageToSend): Promise<Answer>;
  /** Whether it has not answered for some calls: then nothing is begun for a while. */
  isAway(): boolean;
  close(): Promise<void>;
}

const COME_BACK_LATER = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const LATER_MS = 3_000;
const TIMEOUT_MS = 10_000;
/** So many calls without an answer open the circuit for a while. */
const MOST_FAILURES = 5;
const AWAY_FOR_MS = 5_000;

/** The HTTP driver (design, section 10). It never throws: a label server that is away answers `later`. */
export function httpLabelServer(url: string, secret: string, connections: number, clock: () => number): LabelServer {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, "");
  const pool = new Pool(origin, {
    connections,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connectTimeout: TIMEOUT_MS,
  });

  let failures = 0;
  let awayUntil = Number.NEGATIVE_INFINITY;

  return {
    isAway: () => clock() < awayUntil,

    async sendPage({ store, barcode, page, number, png, priority, transceivers }) {
      try {
        const { statusCode, headers, body } = await pool.request({
          method: "PUT",
          path: `${base}/labels/${encodeURIComponent(barcode)}/pages/${page}`,
          headers: {
            authorization: `Bearer ${secret}`,
            "content-type": "image/png",
            "idempotency-key": `${encodeURIComponent(barcode)}-${page}-${number}`,
            "repr-digest": `sha-256=:${createHash("sha256").update(png).digest("base64")}:`,
            priority,
            store,
            // A header holds ASCII only; an id may hold anything.
            ...(transceivers.length > 0 && { transceiver: transceivers.map(encodeURIComponent).join(", ") }),
          },
          body: png,
        });
        const text = await body.text();
        failures = 0;
        if (statusCode === 202) return { kind: "accepted" };
        if (COME_BACK_LATER.has(statusCode)) return { kind: "later", afterMs: retryAfter(headers["retry-after"]) };
        return { kind: "refused", reason: `the label server answered ${statusCode}: ${text.slice(0, 200)}` };
      } catch {
        // Whatever it was (refused, reset, too slow), the picture is sent again under its own number.
        failures += 1;
        if (failures >= MOST_FAILURES) awayUntil = clock() + AWAY_FOR_MS;
        return { kind: "later", afterMs: LATER_MS };
      }
    },
    close: () => pool.close(),
  };
}

const retryAfter = (value: string | string[] | undefined): number =>
  Number(value) > 0 ? Number(value) * 1000 : LATER_MS;
