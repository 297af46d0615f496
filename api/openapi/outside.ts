import { Type } from "typebox";
import { LabelReports } from "../../schemas/label-report.ts";
import { LoginAnswer } from "../../schemas/token.ts";
import type { Operation } from "./operation.ts";

const Health = Type.Object({ status: Type.Literal("ok") }, { title: "Health" });
const stores = {
  mongodb: Type.String({
    description: "Whether the database is available",
    examples: ["ready"],
  }),
  redis: Type.String({
    description: "Whether Redis is available; while it is not, work is delayed",
    examples: ["ready"],
  }),
};
const Ready = Type.Object({ status: Type.Literal("ready"), ...stores }, { title: "Ready" });
const NotReady = Type.Object({ status: Type.Literal("not ready"), ...stores }, { title: "NotReady" });

const ProofKeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.String({ description: "Kind of key", examples: ["OKP"] }),
        crv: Type.String({ description: "Curve", examples: ["Ed25519"] }),
        x: Type.String({ description: "The public key in Base64url" }),
        kid: Type.String({ description: "Id of the key: its thumbprint (RFC 7638)" }),
      }),
      { description: "The current key first; empty if none is configured" },
    ),
  },
  { title: "ProofKeySet" },
);

/** Operations outside the stores' and tenants' interfaces, with paths relative to the origin. */
export const outside: readonly Omit<Operation, "servers">[] = [
  {
    method: "GET",
    path: "/api/public/auth/v1/login",
    operationId: "login",
    tag: "Access",
    summary: "Issue a token for an API user, by name and password",
    description: "Also available below the address of a store, for that store's users.",
    security: [{ apiUser: [] }],
    answers: { 200: LoginAnswer },
    problems: [
      "wrong-credentials",
      "no-login",
      "too-many-requests",
      "too-many-failed-logins",
      "headers-too-large",
      "internal-error",
      "unavailable",
      "busy",
    ],
  },
  {
    method: "POST",
    path: "/label-server/v1/reports",
    operationId: "reportLabels",
    tag: "Label servers",
    summary: "Report the results of transmissions and the state of labels",
    description:
      "A label server repeats reports that were not accepted (503). Reports on stores that use another label server are " +
      "ignored; if all of them do, the response is 403.",
    security: [{ labelServerSecret: [] }],
    body: LabelReports,
    answers: { 204: null },
    problems: [
      "invalid-request",
      "malformed-body",
      "unauthenticated",
      "forbidden",
      "too-many-requests",
      "body-too-large",
      "unsupported-media-type",
      "headers-too-large",
      "internal-error",
      "unavailable",
      "busy",
    ],
  },
  {
    method: "GET",
    path: "/api/proofs/keys.json",
    operationId: "getProofKeys",
    tag: "Labels",
    summary: "Get the public keys with which proofs are verified",
    description: "A JSON Web Key Set: the current key, and the keys of earlier proofs.",
    security: [],
    isTagged: true,
    answers: { 200: ProofKeySet },
    problems: ["too-many-requests"],
  },
  {
    method: "GET",
    path: "/healthz",
    operationId: "getHealth",
    tag: "Operation",
    summary: "Whether the process responds",
    security: [],
    answers: { 200: Health },
    problems: [],
  },
  {
    method: "GET",
    path: "/readyz",
    operationId: "getReadiness",
    tag: "Operation",
    summary: "Whether requests can be accepted, which depends only on the database",
    security: [],
    answers: { 200: Ready, 503: NotReady },
    problems: [],
  },
  {
    method: "GET",
    path: "/api/openapi.json",
    operationId: "getOpenApi",
    tag: "Operation",
    summary: "This document",
    security: [],
    isTagged: true,
    answers: { 200: Type.Object({ openapi: Type.String({ description: "OpenAPI version", examples: ["3.1.0"] }) }) },
    problems: ["too-many-requests"],
  },
  {
    method: "GET",
    path: "/api/asyncapi.json",
    operationId: "getAsyncApi",
    tag: "Operation",
    summary: "Get the topics for subscriptions and tails, as an AsyncAPI document",
    security: [],
    isTagged: true,
    answers: { 200: Type.Object({ asyncapi: Type.String({ description: "AsyncAPI version", examples: ["3.0.0"] }) }) },
    problems: ["too-many-requests"],
  },
];
