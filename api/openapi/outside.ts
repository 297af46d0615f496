import { Type } from "typebox";
import { LabelReports } from "../../schemas/label-report.ts";
import { LoginAnswer } from "../../schemas/token.ts";
import type { Operation } from "./operation.ts";

const Health = Type.Object({ status: Type.Literal("ok") }, { title: "Health" });
const stores = {
  mongodb: Type.String({
    description: "Whether the database can be reached",
    examples: ["ready"],
  }),
  redis: Type.String({ description: "Whether Redis is there; while it is away work is delayed", examples: ["ready"] }),
};
const Ready = Type.Object({ status: Type.Literal("ready"), ...stores }, { title: "Ready" });
const NotReady = Type.Object({ status: Type.Literal("not ready"), ...stores }, { title: "NotReady" });

/** Operations outside of the stores' and tenants' interfaces: their paths are relative to the origin. */
export const outside: readonly Omit<Operation, "servers">[] = [
  {
    method: "GET",
    path: "/api/public/auth/v1/login",
    operationId: "login",
    tag: "Access",
    summary: "A token for an API user, by its name and password",
    description: "Answers below a store's address as well, for users of that store.",
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
    summary: "Report what became of pictures, and how labels are",
    description:
      "A label server reports again what was not taken (503). Reports of stores that are on another label server are left " +
      "out; 403 where all of them are.",
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
    path: "/healthz",
    operationId: "getHealth",
    tag: "Operation",
    summary: "Whether the process answers",
    security: [],
    answers: { 200: Health },
    problems: [],
  },
  {
    method: "GET",
    path: "/readyz",
    operationId: "getReadiness",
    tag: "Operation",
    summary: "Whether requests can be taken, for which the database is needed only",
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
    answers: { 200: Type.Object({ openapi: Type.String({ description: "Version of OpenAPI", examples: ["3.1.0"] }) }) },
    problems: ["too-many-requests"],
  },
];
