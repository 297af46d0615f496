import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { setTimeout } from "node:timers/promises";

/** Authentication: a token, a function that returns one, or an API user with its password. */
export type Credentials = { token: string | (() => Promise<string>) } | { user: string; password: string };

export type Options = Credentials & {
  /** The store's base address, with or without `/api/public/core/v1`. */
  store: string;
  /** Maximum number of attempts for a call that fails temporarily; by default as many as fit into `patienceMs`. */
  attempts?: number;
  /** Milliseconds for which a call that fails temporarily is retried, for example during a restart; default 180,000. */
  patienceMs?: number;
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
  plState?: "NEW" | "PENDING" | "OK" | "ERROR" | "OFFLINE" | "UNKNOWN";
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
  /** The index of the caller's row to which it belongs; a row of several links has as many outcomes. */
  row: number;
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
  /** Labels that show one of these items. */
  itemIds?: readonly string[];
  modelName?: string | readonly string[];
  plLocation?: string | readonly string[];
  linkDepartment?: string | readonly string[];
  plState?: readonly NonNullable<Label["plState"]>[];
  batteryState?: readonly NonNullable<Label["batteryState"]>[];
  /** Labels whose battery ends within this number of days. */
  replaceWithin?: number;
  sortProperty?: string;
  sortDirection?: "ASC" | "DESC";
  serializeDatesToIso8601?: boolean;
}

/** A write of many rows. */
export interface WriteOptions {
  /** Key of the write. A write with the same rows and key continues where the earlier one ended: no row is applied twice. */
  key?: string;
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

/** Thrown if a call was rejected, or if its last attempt failed; the status of a problem without a response is 0. */
export class ShelfwireError extends Error {
  override readonly name = "ShelfwireError";
  readonly problem: Problem;
  /** For a write with many rows: the outcomes of the requests before the one that failed. */
  readonly applied: readonly Outcome[];
  /** For a write with many rows: the index of the first row that was not sent, or was refused; send from there on. */
  readonly notSent: number;
  /** For a write with many rows: call again with the same rows and this key to continue. */
  readonly key: string | undefined;
  constructor(
    problem: Problem,
    { applied = [], notSent = 0, key, cause }: Partial<Progress> & { cause?: unknown } = {},
  ) {
    super(`${problem.status} ${problem.title}: ${problem.detail}`, { cause });
    this.problem = problem;
    this.applied = applied;
    this.notSent = notSent;
    this.key = key;
  }
}

/** Progress of a write with many rows. */
interface Progress {
  applied: readonly Outcome[];
  notSent: number;
  key: string;
}

interface Call {
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  body?: unknown;
  /** Sent with each attempt, so that the call is executed only once; generated if absent. */
  idempotencyKey?: string;
  /** Additional headers. */
  headers?: Readonly<Record<string, string>>;
}

const PREFIX = "/api/public/core/v1";
const MAX_ROWS = 20_000;
/** Maximum bytes of a body: less than the server's limit, to leave room for the separators between rows. */
const MAX_BYTES = 31 * 2 ** 20;
const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 2_000;
/** The longest wait between two attempts, in seconds, if the server does not name one. */
const MAX_WAIT_S = 20;
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const KEY_IN_USE = "/problems/idempotency-key-in-use";

/** A store, through its API. */
export class Shelfwire {
  readonly #base: string;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
    this.#base = options.store.replace(/\/+$/, "").replace(new RegExp(`${PREFIX}$`), "") + PREFIX;
  }

  /**
   * Calls any operation of the API, by its path under `/api/public/core/v1`. After a temporary failure, it retries after the
   * time that the response states; a write keeps its Idempotency-Key. Throws a ShelfwireError.
   */
  async call<Answer>(method: string, path: string, call: Call = {}): Promise<Answer> {
    return contentOf<Answer>(await this.#send(method, path, call));
  }

  /** Returns the response to a call. It has succeeded and is read to its end, unless it is a stream. */
  async #send(method: string, path: string, call: Call): Promise<Response> {
    const { attempts = Number.POSITIVE_INFINITY, patienceMs = 180_000 } = this.#options;
    const until = Date.now() + patienceMs;
    const { idempotencyKey = randomUUID() } = call;
    for (let attempt = 1; ; attempt += 1) {
      const { answer, error } = await this.#attempt(method, path, { ...call, idempotencyKey });
      if (answer !== undefined) return answer;
      const waitMs = 1000 * jittered(error.retryAfter ?? Math.min(2 ** (attempt - 2), MAX_WAIT_S));
      if (!error.isPassing || attempt >= attempts || Date.now() + waitMs > until) throw error.thrown;
      await setTimeout(waitMs);
    }
  }

  async #attempt(
    method: string,
    path: string,
    { query, body, idempotencyKey, headers: further }: Call,
  ): Promise<Attempt> {
    const { timeoutMs = 70_000, fetch: send = fetch } = this.#options;
    const isForm = body instanceof FormData;
    const isStream = further?.accept === EVENTS;
    const headers: Record<string, string> = {
      accept: "application/json, application/problem+json, image/png",
      authorization: await this.#authorization(),
      ...(body !== undefined && !isForm && { "content-type": "application/json" }),
      ...(method !== "GET" && idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      ...further,
    };
    const init: RequestInit = { method, headers };
    if (!isStream) init.signal = AbortSignal.timeout(timeoutMs);
    if (body !== undefined) init.body = isForm ? body : JSON.stringify(body);
    try {
      const answer = await send(`${this.#base}${path}${queryText(query)}`, init);
      if (answer.ok && isStream) return { answer };
      // Read here, so that a response that breaks off is a failed attempt.
      const read = new Response(answer.status === 204 ? null : await answer.arrayBuffer(), answer);
      if (answer.ok) return { answer: read };
      const problem = await problemOf(read);
      const isPassing = PASSING.has(problem.status) || problem.type === KEY_IN_USE;
      return { error: { thrown: new ShelfwireError(problem), isPassing, retryAfter: secondsOf(answer) } };
    } catch (cause) {
      const detail = cause instanceof Error ? cause.message : String(cause);
      const problem = { type: "about:blank", title: "No response", status: 0, detail };
      return { error: { thrown: new ShelfwireError(problem, { cause }), isPassing: true } };
    }
  }

  /** Updates or creates any number of items; returns the outcome of each once all are stored. */
  patchItems = (rows: readonly ItemPatch[], options: WriteOptions = {}): Promise<Result> =>
    this.#inParts(rows, { method: "PATCH", path: "/items", kind: "items", ...options });

  /** Deletes any number of items by their ids. */
  deleteItems = (itemIds: readonly string[], options: WriteOptions = {}): Promise<Result> =>
    this.#inParts(itemIds, { method: "DELETE", path: "/items", kind: "items", field: "itemIds", ...options });

  /** Sets any number of labels and their links. */
  patchLabels = (rows: readonly LabelPatch[], options: WriteOptions = {}): Promise<Result> =>
    this.#inParts(rows, { method: "PATCH", path: "/labels", kind: "labels", ...options });

  /** Unlinks all items of a label, or only the item at a position. */
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

  /** Returns the PNG of a label's first page. */
  labelImage = (barcode: string): Promise<Uint8Array> => this.call("GET", `/labels/${id(barcode)}/image`);

  /** Yields all items, page by page, in order of their ids. */
  items = (
    projection: Projection = "L",
    pageSize = 1_000,
    options: { serializeDatesToIso8601?: boolean } = {},
  ): AsyncGenerator<Item> => this.#pages<Item>("/items", { projection, ...options }, pageSize);

  /** Yields all labels that match a filter, page by page. */
  labels(
    { barcodes, itemIds, modelName, plLocation, linkDepartment, plState, batteryState, ...query }: LabelFilter = {},
    pageSize = 1_000,
  ): AsyncGenerator<Label> {
    const filters = {
      "filter[barcode]": barcodes,
      "filter[itemId]": itemIds,
      "filter[modelName]": listOf(modelName),
      "filter[plLocation]": listOf(plLocation),
      "filter[linkDepartment]": listOf(linkDepartment),
      "filter[plState]": plState,
      "filter[batteryState]": batteryState,
    };
    return this.#pages<Label>("/labels", { ...query, ...filters }, pageSize);
  }

  /**
   * Yields the barcodes of labels as they change, without end: `for await (const barcode of store.tail())`. If the connection
   * breaks, it is opened again after the last change that arrived; call `return` or `break` to end it.
   */
  async *tail(): AsyncGenerator<string> {
    for (let lastId: string | undefined; ; ) {
      const headers = { accept: EVENTS, ...(lastId !== undefined && { "last-event-id": lastId }) };
      const { body } = await this.#send("GET", "/labels/tail", { headers });
      try {
        for await (const { id, data } of eventsOf(body)) {
          lastId = id ?? lastId;
          if (data !== undefined) yield (JSON.parse(data) as { barcode: string }).barcode;
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
      await setTimeout(1000 * jittered(1));
    }
  }

  flashLabel = async (barcode: string, options: FlashOptions = {}): Promise<ActionResult> =>
    (await this.call<{ result: ActionResult }>("POST", `/labels/${id(barcode)}/flash`, { body: options })).result;

  /** Flashes every label that shows an item; the item may be named by one of its SICs. */
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

  /** Returns the result of an accepted request once all of its rows have their outcome. Throws if that takes too long. */
  async result(kind: "items" | "labels", requestId: number): Promise<Result> {
    const until = Date.now() + (this.#options.resultTimeoutMs ?? 60_000);
    // Polling with rows would transfer rows that nobody reads before the request is complete.
    const query = kind === "items" ? { excludeItemResults: true } : { excludeResults: true };
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
      const path = `/${kind}-result/${requestId}`;
      const { status } = await this.call<ResultBody>("GET", path, { query });
      if (status === "COMPLETED") {
        const { itemResults, results, itemErrorCount, labelErrorCount, ...state } = await this.call<ResultBody>(
          "GET",
          path,
        );
        const rows = (itemResults ?? results ?? []).map((outcome, row) => ({ row, ...outcome }));
        return { ...state, errorCount: itemErrorCount ?? labelErrorCount ?? 0, rows };
      }
      if (Date.now() > until) {
        const detail = `the request ${requestId} is still ${status}`;
        throw new ShelfwireError({ type: "about:blank", title: "No result yet", status: 0, detail });
      }
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
    rows: readonly Row[],
    { method, path, kind, field, key = randomUUID() }: WriteOptions & Parts,
  ): Promise<Result> {
    const applied: Outcome[] = [];
    let errorCount = 0;
    let notSent = 0;
    for (const [index, part] of [...partsOf(rows)].entries()) {
      const first = notSent;
      try {
        const body = field === undefined ? part : { [field]: part };
        const { requestId } = await this.call<{ requestId: number }>(method, path, {
          body,
          idempotencyKey: `${key}.${index}`,
        });
        notSent += part.length;
        const result = await this.result(kind, requestId);
        const rowOf = rowsOfOutcomes(part);
        applied.push(...result.rows.map((outcome, place) => ({ ...outcome, row: first + (rowOf[place] ?? place) })));
        errorCount += result.errorCount;
      } catch (error) {
        if (!(error instanceof ShelfwireError)) throw error;
        throw new ShelfwireError(withRows(error.problem, first, field), { applied, notSent, key, cause: error.cause });
      }
    }
    const nothingDone = applied.every(({ status }) => !status.startsWith("SUCCESS") && status !== "PARTIAL");
    const overallStatus = errorCount === 0 ? "SUCCESS" : nothingDone ? "ERROR" : "PARTIAL_SUCCESS";
    return { status: "COMPLETED", overallStatus, errorCount, rows: applied };
  }

  /**
   * Yields the entries of a list, page by page. Each page's link continues after its last entry, even if entries change
   * meanwhile.
   */
  async *#pages<Row>(path: string, query: NonNullable<Call["query"]>, limit: number): AsyncGenerator<Row> {
    for (let after: string | undefined; ; ) {
      const answer = await this.#send("GET", path, { query: { ...query, limit, after } });
      yield* (await answer.json()) as Row[];
      after = cursorIn(answer.headers.get("link") ?? "");
      if (after === undefined) return;
    }
  }

  async #authorization(): Promise<string> {
    const options = this.#options;
    if ("user" in options) return `Basic ${Buffer.from(`${options.user}:${options.password}`).toString("base64")}`;
    return `Bearer ${typeof options.token === "string" ? options.token : await options.token()}`;
  }
}

/** The outcome of an attempt. */
type Attempt =
  | { answer: Response; error?: never }
  | { answer?: never; error: { thrown: ShelfwireError; isPassing: boolean; retryAfter?: number | undefined } };

/** How rows are sent. */
interface Parts {
  method: string;
  path: string;
  kind: "items" | "labels";
  /** The field of the body that holds the rows, if they are not the body itself. */
  field?: string;
}

const EVENTS = "text/event-stream";

/** Lengthens a wait by up to a half, so that many clients do not return at the same time. */
const jittered = (seconds: number): number => seconds * (1 + Math.random() / 2);

const listOf = (value: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof value === "string" ? [value] : value;

/** Returns the cursor in a link to the next page (RFC 8288). */
function cursorIn(link: string): string | undefined {
  const address = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link)?.[1];
  return address === undefined ? undefined : (new URL(address, "http://store").searchParams.get("after") ?? undefined);
}

/** Returns the row's index for each outcome of a request: a row of labels has one outcome for each of its links. */
function rowsOfOutcomes(rows: readonly unknown[]): number[] {
  return rows.flatMap((row, index) => {
    const { barcode, links } = row as { barcode?: string; links?: readonly unknown[] | null };
    return Array<number>(barcode === undefined ? 1 : Math.max(1, links?.length ?? 0)).fill(index);
  });
}

/** Returns a problem whose faults refer to the caller's rows; the refused request had the rows from `first` on. */
function withRows(problem: Problem, first: number, field: string | undefined): Problem {
  if (problem.errors === undefined || first === 0) return problem;
  const before = field === undefined ? "/" : `/${field}/`;
  const errors = problem.errors.map((fault) => {
    const [row = "", ...rest] = fault.pointer.startsWith(before) ? fault.pointer.slice(before.length).split("/") : [];
    if (!/^\d+$/.test(row)) return fault;
    return { ...fault, pointer: before + [String(first + Number(row)), ...rest].join("/") };
  });
  // The sentence names the first fault by its place.
  const [was = "", is = ""] = [problem.errors[0]?.pointer, errors[0]?.pointer];
  return { ...problem, errors, detail: problem.detail.replace(` ${was} `, () => ` ${is} `) };
}

/** Yields the server-sent events of a stream. */
async function* eventsOf(body: Response["body"]): AsyncGenerator<{ id: string | undefined; data: string | undefined }> {
  let text = "";
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + chunk).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1];
      yield { id: field("id"), data: field("data") };
    }
  }
}

type ResultBody = Omit<Result, "errorCount" | "rows"> & {
  itemResults?: Omit<Outcome, "row">[];
  results?: Omit<Outcome, "row">[];
  itemErrorCount?: number;
  labelErrorCount?: number;
};

/**
 * Encodes an id as a segment of a path. Some ids cannot be segments: without this check, they would address another resource.
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

/** Returns the seconds in `Retry-After`; a proxy may send a date instead. */
function secondsOf({ headers }: Response): number | undefined {
  const text = headers.get("retry-after") ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Encodes a query; values of a list are separated by commas, and `\,` is a comma within a value. */
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

/** Returns the problem in a response; a response from a proxy in front of Shelfwire contains no document. */
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
 * Returns the events in a webhook's call, whose text as received is `body`. Throws if the signature is not Shelfwire's, or if
 * its time differs from now by more than five minutes (Standard Webhooks).
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
