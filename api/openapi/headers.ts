import type { Json } from "./components.ts";

const text = (description: string, more: Json = {}): Json => ({ description, schema: { type: "string" }, ...more });

/** Response headers, by component name. */
const headers = {
  XRequestId: {
    name: "X-Request-Id",
    shown: text("Id of the request: the caller's own if it sent a valid one. Include it when you report a problem.", {
      required: true,
      example: "0b9a4c8e-5d0c-4d8e-9f61-3f0a7c1b2d34",
    }),
  },
  XTraceId: {
    name: "X-Trace-Id",
    shown: text("The trace of the request, if it is traced (W3C Trace Context)", {
      example: "0af7651916cd43dd8448eb211c80319c",
    }),
  },
  ETag: {
    name: "ETag",
    shown: text("Tag of the returned representation, for If-None-Match", { required: true, example: '"3q2-7w"' }),
  },
  Warning: {
    name: "Warning",
    shown: text(
      "What the call requested and did not get, such as an unknown query parameter or a `limit` beyond its maximum",
      {
        example: '299 - "limit=5000 is more than the maximum; 1000 is used"',
      },
    ),
  },
  Link: {
    name: "Link",
    shown: text(
      'The next page of the list (`rel="next"`), relative to the address of the call; absent on the last page',
      {
        example: '<?limit=100&after=eyJvcmRlciI6Iml0ZW1JZCJ9>; rel="next"',
      },
    ),
  },
  WwwAuthenticate: {
    name: "WWW-Authenticate",
    shown: text("How to authenticate, and why the token was rejected (RFC 6750)", {
      example: 'Bearer error="invalid_token"',
    }),
  },
  RetryAfter: {
    name: "Retry-After",
    shown: {
      description: "Seconds to wait before sending the request again",
      required: true,
      schema: { type: "integer", minimum: 0 },
      example: 5,
    },
  },
} as const satisfies Record<string, { name: string; shown: Json }>;

type HeaderKey = keyof typeof headers;

const ofStatus: Readonly<Record<number, readonly HeaderKey[]>> = {
  401: ["WwwAuthenticate"],
  403: ["WwwAuthenticate"],
  429: ["RetryAfter"],
  503: ["RetryAfter"],
};

const refer = (keys: readonly HeaderKey[]): Json =>
  Object.fromEntries(keys.map((key) => [headers[key].name, { $ref: `#/components/headers/${key}` }]));

export const answerHeaders = ({ isTagged = false, isPaged = false }): Json =>
  refer([
    "XRequestId",
    "XTraceId",
    "Warning",
    ...(isTagged ? (["ETag"] as const) : []),
    ...(isPaged ? (["Link"] as const) : []),
  ]);
export const problemHeaders = (status: number): Json => refer(["XRequestId", "XTraceId", ...(ofStatus[status] ?? [])]);

export const headerComponents = (): Json =>
  Object.fromEntries(Object.entries(headers).map(([key, { shown }]) => [key, shown]));
