import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { setTimeout } from "node:timers/promises";

/** Authentication: a token, a function that returns one, or an API user with its password. */
export type Credentials = { token: string | (() => Promise<string>) } | { user: string; password: string };

export type Options = Credentials & {
  /** The store's base address, with or without `/api/public/core/v1`. */
  store: string;
  /** Number of attempts at a call that fails temporarily; default 5. */
  attempts?: number;
  /** Milliseconds after which an unanswered attempt counts as failed; default 70,000. */
  timeoutMs?: number;
  /** Milliseconds to wait for the result of a request; default 60,000. */
  resultTimeoutMs?: number;
  fetch?: typeof fetch;
};

export interface Link {
  barcode: string;
  itemId: string;
  linkedItemId: string;
  displayPosition: number;
  facings: string | null;
}
export type LinkRow = Partial<Link> & ({ itemId: string } | { linkedItemId: string });

/** A row of an update: absent, null or empty fields keep their values. */
export interface ItemPatch {
  itemId: string;
  itemName?: string | null;
  price?: string | null;
  itemGroup?: string | null;
  department?: string | null;
  presentation?: string | null;
  sics?: readonly string[] | null;
  properties?: Readonly<Record<string, string>> | null;
  /** `YYYY-MM-DD hh:mm:ss` in the store's time zone: the row is applied at that time. */
  validFrom?: string | null;
}

export interface Item {
  itemId: string;
  itemName: string | null;
  price: string | null;
  /** The fields from here on depend on the projection. */
  itemGroup?: string | null;
  department?: string | null;
  presentation?: string | null;
  lastUpdated?: string | null;
  validFrom?: string | null;
  sics?: string[];
  properties?: Record<string, string>;
  links?: Link[];
}

export interface LabelPatch {
  barcode: string;
  modelName?: string | null;
  linkDepartment?: string | null;
  plLocation?: string | null;
  homeTrx?: string | null;
  device?: string | null;
  links?: readonly LinkRow[] | null;
}

export interface Label {
  barcode: string;
  modelName: string | null;
  plLocation: string | null;
  links: Link[];
  plState?: "NEW" | "PENDING" | "OK" | "ERROR" | "OFFLINE";
  batteryState?: "UNKNOWN" | "OK" | "LOW";
  homeTrx?: string | null;
  lowBatteryDate?: string | null;
  [further: string]: unknown;
}

export type RowStatus =
  | "SUCCESS"
  | "SUCCESS_NEW_ITEM"
  | "PARTIAL"
  | "PENDING"
  | "UNKNOWN"
  | "ITEM_NOT_FOUND"
  | "ERROR_NO_LINK_DEPARTMENTS"
  | "ERROR";

/** The outcome of a row. */
export interface Outcome {
  itemId?: string | null;
  barcode?: string;
  displayPosition?: number;
  status: RowStatus;
  errors: string[];
}

/** The result of a request: all rows, and how many of them failed. */
export interface Result {
  status: "PENDING" | "IN_PROGRESS" | "COMPLETED";
  overallStatus: "PENDING" | "IN_PROGRESS" | "SUCCESS" | "PARTIAL_SUCCESS" | "ERROR";
  errorCount: number;
  rows: Outcome[];
}

export interface FlashOptions {
  /** Duration in seconds, 0 to 1800; 0 stops flashing. */
  duration?: number;
  realTime?: boolean;
  /** `#rrggbb` or `rgb(r,g,b)`. */
  color?: string;
  flashType?: 10 | 20 | 30 | 40 | 50;
}
export type ActionResult = "OK" | "UNSUPPORTED" | "UNREACHABLE";
export type Projection = "S" | "M" | "L";

export interface LabelFilter {
  projection?: Projection;
  barcodes?: readonly string[];
  modelName?: string;
  plState?: readonly NonNullable<Label["plState"]>[];
  batteryState?: readonly NonNullable<Label["batteryState"]>[];
  sortProperty?: string;
  sortDirection?: "ASC" | "DESC";
}

/** A problem document (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  errors?: { pointer: string; detail: string }[];
}

/** Thrown if a call was rejected, or if its last attempt failed. */
export class ShelfwireError extends Error {
  override readonly name = "ShelfwireError";
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(`${problem.status} ${problem.title}: ${problem.detail}`);
    this.problem = problem;
  }
}

interface Call {
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  body?: unknown;
  /** Sent with each attempt, so that the call is executed only once; generated if absent. */
  idempotencyKey?: string;
}

const PREFIX = "/api/public/core/v1";
const MAX_ROWS = 20_000;
/** Less than the size limit of a body, to leave room for the separators between rows. */
const MAX_BYTES = 31 * 2 ** 20;
const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 2_000;
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const KEY_IN_USE = "/problems/idempotency-key-in-use";

/** A store, as shown by its interface. */
export class Shelfwire {
  readonly #base: string;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
    this.#base = options.store.replace(/\/+$/, "").replace(new RegExp(`${PREFIX}$`), "") + PREFIX;
  }

  /**
   * Calls any operation of the interface, by its path below `/api/public/core/v1`. Temporary failures are retried after
   * the time stated in the answer, writes with the same Idempotency-Key. Throws a ShelfwireError.
   */
  async call<Answer>(
    method: string,
    path: string,
    { query, body, idempotencyKey = randomUUID() }: Call = {},
  ): Promise<Answer> {
    const { attempts = 5, timeoutMs = 70_000, fetch: send = fetch } = this.#options;
    const url = `${this.#base}${path}${queryText(query)}`;
    const isForm = body instanceof FormData;
    const headers: Record<string, string> = {
      accept: "application/json, application/problem+json, image/png",
      ...(body !== undefined && !isForm && { "content-type": "application/json" }),
      ...(method !== "GET" && { "idempotency-key": idempotencyKey }),
    };
    for (let attempt = 1; ; attempt += 1) {
      headers.authorization = await this.#authorization();
      const init: RequestInit = { method, headers, signal: AbortSignal.timeout(timeoutMs) };
      if (body !== undefined) init.body = isForm ? body : JSON.stringify(body);
      let waitSeconds = 2 ** (attempt - 2);
      try {
        const answer = await send(url, init);
        if (answer.ok) return await contentOf<Answer>(answer);
        const problem = await problemOf(answer);
        const isPassing = PASSING.has(problem.status) || problem.type === KEY_IN_USE;
        if (!isPassing || attempt >= attempts) throw new ShelfwireError(problem);
        waitSeconds = secondsOf(answer) ?? waitSeconds;
      } catch (error) {
        if (error instanceof ShelfwireError || attempt >= attempts) throw error;
      }
      await setTimeout(1000 * waitSeconds);
    }
  }

  /** Updates or creates any number of items; returns the outcome of each once all are stored. */
  patchItems = (rows: readonly ItemPatch[]): Promise<Result> => this.#inParts("PATCH", "/items", rows, "items");

  /** Deletes any number of items by their ids. */
  deleteItems = (itemIds: readonly string[]): Promise<Result> =>
    this.#inParts("DELETE", "/items", itemIds, "items", (part) => ({ itemIds: part }));

  /** Sets any number of labels and their links. */
  patchLabels = (rows: readonly LabelPatch[]): Promise<Result> => this.#inParts("PATCH", "/labels", rows, "labels");

  /** Unlinks all items of a label, or the one at a position. */
  unlinkLabel = (barcode: string, displayPosition?: number): Promise<Result> =>
    this.#accepted(
      "labels",
      "DELETE",
      `/labels/${id(barcode)}/links${displayPosition === undefined ? "" : `/${displayPosition}`}`,
    );

  /** Unlinks all labels of an item. */
  unlinkItem = (itemId: string): Promise<Result> => this.#accepted("labels", "DELETE", `/items/${id(itemId)}/links`);

  /** Links one label and waits for its picture, for at most `timeoutMs`. */
  linkLabel = (
    link: LabelPatch & { itemId?: string; linkedItemId?: string; displayPosition?: number; facings?: string },
    timeoutMs = 10_000,
  ): Promise<{ barcode: string; itemId: string; status: "LINKED" | "PENDING" | "FAILED" }> =>
    this.call("POST", "/labels/link-single", { query: { timeout: timeoutMs }, body: link });

  item = async (itemId: string, projection?: Projection): Promise<Item> =>
    (await this.call<{ value: Item }>("GET", `/items/${id(itemId)}`, { query: { projection } })).value;

  label = (barcode: string, projection?: Projection): Promise<Label> =>
    this.call("GET", `/labels/${id(barcode)}`, { query: { projection } });

  /** The PNG of a label's first page. */
  labelImage = (barcode: string): Promise<Uint8Array> => this.call("GET", `/labels/${id(barcode)}/image`);

  /** All items, page by page, in order of their ids. */
  items = (projection: Projection = "L", pageSize = 1_000): AsyncGenerator<Item> =>
    this.#pages<Item>("/items", { projection }, pageSize);

  /** All labels that match a filter, page by page. */
  labels(
    { barcodes, modelName, plState, batteryState, ...query }: LabelFilter = {},
    pageSize = 1_000,
  ): AsyncGenerator<Label> {
    const filters = {
      "filter[barcode]": barcodes,
      "filter[modelName]": modelName,
      "filter[plState]": plState,
      "filter[batteryState]": batteryState,
    };
    return this.#pages<Label>("/labels", { ...query, ...filters }, pageSize);
  }

  flashLabel = async (barcode: string, options: FlashOptions = {}): Promise<ActionResult> =>
    (await this.call<{ result: ActionResult }>("POST", `/labels/${id(barcode)}/flash`, { body: options })).result;

  /** Flashes every label that shows an item; the item may be given by one of its SICs. */
  flashItem = async (
    itemId: string,
    options: FlashOptions = {},
  ): Promise<{ barcode: string; result: ActionResult }[]> =>
    (
      await this.call<{ results: { barcode: string; result: ActionResult }[] }>("POST", `/items/${id(itemId)}/flash`, {
        body: options,
      })
    ).results;

  /** Replaces the image of a page of an item: PNG, JPEG, BMP or GIF. */
  setPageImage(itemId: string, page: number, image: Uint8Array, resize: 0 | 1 | 2 = 1): Promise<Result> {
    const form = new FormData();
    form.append("imageFile", new Blob([new Uint8Array(image)]), "image");
    return this.#accepted("items", "POST", `/items/${id(itemId)}/page/${page}`, form, { resize });
  }

  /** The result of an accepted request, once all of its rows have their outcome. Throws if that takes too long. */
  async result(kind: "items" | "labels", requestId: number): Promise<Result> {
    const until = Date.now() + (this.#options.resultTimeoutMs ?? 60_000);
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
      const { itemResults, results, itemErrorCount, labelErrorCount, ...state } = await this.call<ResultBody>(
        "GET",
        `/${kind}-result/${requestId}`,
      );
      if (state.status === "COMPLETED")
        return { ...state, errorCount: itemErrorCount ?? labelErrorCount ?? 0, rows: itemResults ?? results ?? [] };
      if (Date.now() > until) throw new Error(`request ${requestId} is still ${state.status}`);
      await setTimeout(wait);
    }
  }

  async #accepted(
    kind: "items" | "labels",
    method: string,
    path: string,
    body?: unknown,
    query?: Call["query"],
  ): Promise<Result> {
    const call = { ...(body !== undefined && { body }), ...(query && { query }) };
    const { requestId } = await this.call<{ requestId: number }>(method, path, call);
    return this.result(kind, requestId);
  }

  /** Sends more rows than one request may contain as several requests, in order; their results are combined. */
  async #inParts<Row>(
    method: string,
    path: string,
    rows: readonly Row[],
    kind: "items" | "labels",
    bodyOf: (part: Row[]) => unknown = (part) => part,
  ): Promise<Result> {
    const results: Result[] = [];
    for (const part of partsOf(rows)) results.push(await this.#accepted(kind, method, path, bodyOf(part)));
    const all = results.flatMap((result) => result.rows);
    const errorCount = results.reduce((sum, result) => sum + result.errorCount, 0);
    const nothingDone = all.every(({ status }) => !status.startsWith("SUCCESS") && status !== "PARTIAL");
    const overallStatus = errorCount === 0 ? "SUCCESS" : nothingDone ? "ERROR" : "PARTIAL_SUCCESS";
    return { status: "COMPLETED", overallStatus, errorCount, rows: all };
  }

  async *#pages<Row>(path: string, query: NonNullable<Call["query"]>, limit: number): AsyncGenerator<Row> {
    for (let start = 0; ; start += limit) {
      const page = await this.call<Row[]>("GET", path, { query: { ...query, start, limit } });
      yield* page;
      if (page.length < limit) return;
    }
  }

  async #authorization(): Promise<string> {
    const options = this.#options;
    if ("user" in options) return `Basic ${Buffer.from(`${options.user}:${options.password}`).toString("base64")}`;
    return `Bearer ${typeof options.token === "string" ? options.token : await options.token()}`;
  }
}

type ResultBody = Omit<Result, "errorCount" | "rows"> & {
  itemResults?: Outcome[];
  results?: Outcome[];
  itemErrorCount?: number;
  labelErrorCount?: number;
};

/**
 * An id as a segment of a path. Some ids cannot be segments: without this check they would address another resource.
 */
function id(text: string): string {
  if (["", ".", ".."].includes(text)) throw new TypeError(`the id "${text}" cannot be used in a path`);
  return encodeURIComponent(text);
}

/** Splits rows into parts that fit into one request, by their number and size. */
function* partsOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  let part: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row)) + 1;
    if (part.length === MAX_ROWS || (part.length > 0 && bytes + size > MAX_BYTES)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(row);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** The seconds in `Retry-After`; a proxy may send a date. */
function secondsOf({ headers }: Response): number | undefined {
  const text = headers.get("retry-after") ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** A query; values of a list are separated by commas, and `\,` is a comma within a value. */
function queryText(query: Call["query"] = {}): string {
  const values = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = Array.isArray(value)
      ? value.map((one: string) => one.replaceAll(",", "\\,")).join(",")
      : String(value);
    return [[name, text] as [string, string]];
  });
  return values.length === 0 ? "" : `?${new URLSearchParams(values)}`;
}

async function contentOf<Answer>(answer: Response): Promise<Answer> {
  if (answer.status === 204) return undefined as Answer;
  const isJson = answer.headers.get("content-type")?.includes("json");
  return (isJson ? await answer.json() : new Uint8Array(await answer.arrayBuffer())) as Answer;
}

/** The problem in an answer; an answer from a proxy in front of Shelfwire contains no document. */
async function problemOf(answer: Response): Promise<Problem> {
  const { status, statusText, headers } = answer;
  const isProblem = headers.get("content-type")?.startsWith("application/problem+json");
  if (isProblem) return (await answer.json()) as Problem;
  return { type: "about:blank", title: statusText, status, detail: (await answer.text()).slice(0, 200) };
}

/** A change as reported to a subscription. It names the changed fields; read the record for its current state. */
export interface ChangeEvent {
  id: string;
  source: string;
  type: string;
  subject: string;
  time: string;
  data: Record<string, unknown>;
}

const MAX_AGE_SECONDS = 300;

/**
 * The events in a webhook's call, where `body` is its text as received. Throws if the signature is not Shelfwire's, or
 * is older than five minutes (Standard Webhooks).
 */
export function verifyWebhook(
  secret: string,
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  now = Date.now(),
): ChangeEvent[] {
  const given = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  const [messageId, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    String(given[`webhook-${name}`] ?? ""),
  );
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= MAX_AGE_SECONDS))
    throw new Error("the webhook's call is too old or from the future");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${messageId}.${timestamp}.${body}`).digest();
  const isSigned = (signatures ?? "").split(" ").some((one) => {
    const bytes = Buffer.from(one.replace(/^v1,/, ""), "base64");
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
  if (!isSigned) throw new Error("the webhook's call is not signed with this secret");
  return [JSON.parse(body) as ChangeEvent | ChangeEvent[]].flat();
}
