import { type TSchema, Type } from "typebox";
import type { Scope } from "../../schemas/token.ts";
import { assertSeen, taggedAnswer } from "../http/preconditions.ts";
import type { ProblemName } from "../http/problem-kinds.ts";
import { Nothing, type Route, type TenantCall as TypedCall } from "../http/route.ts";
import type { Resource } from "../installation/resource.ts";

/** A call of any of these operations; the operator's interface has no tenant. */
type TenantCall = Omit<TypedCall<Record<string, string>, unknown, unknown>, "tenant"> & { tenant?: string };

/** How a resource is reached and documented. */
interface Place<Order, Shown extends object> {
  resource: Resource<Order, Shown>;
  of: "tenant" | "platform";
  /** A path such as `/stores/:storeId`. */
  path: `/${string}/:${string}`;
  answer: TSchema;
  read: Scope;
  write: Scope;
  operationIds: { list: string; get: string; put: string; remove: string };
  summaries: { list: string; get: string; put: string; remove: string };
  /** Notes for callers of PUT. */
  description?: string;
  /** Secrets in the response to PUT: its schema, and the fields that responses to reads lack. They are shown once. */
  made?: { answer: TSchema; secretFields: readonly string[] };
}

/** Creates the operations to list, get, put and delete a resource. The operator's token passes for every tenant. */
export function resourceRoutes<Order, Shown extends object>(place: Place<Order, Shown>): Route[] {
  const { resource, of, path, answer, read, write, operationIds, summaries, description, made } = place;
  const [, list = "", name = ""] = /^(.*)\/:(\w+)$/.exec(path) ?? [];
  const whatIs = (id: string) => `The ${resource.noun} "${id}"`;
  const common = { of, isForPlatform: true };
  const one = { ...common, path, params: Type.Object({ [name]: resource.id }) };
  const problems: ProblemName[] = ["not-found"];
  const routes: Route[] = [
    {
      ...common,
      method: "GET",
      path: list,
      operationId: operationIds.list,
      summary: summaries.list,
      scope: read,
      answers: { 200: Type.Array(answer) },
      handle: async (call: TenantCall) => ({ status: 200, body: await resource.all(ownerOf(call)) }),
    },
    {
      ...one,
      method: "GET",
      operationId: operationIds.get,
      summary: summaries.get,
      scope: read,
      isTagged: true,
      answers: { 200: answer },
      problems,
      handle: async (call: TenantCall) => ({ status: 200, body: await resource.one(ownerOf(call), idOf(call, name)) }),
    },
    {
      ...one,
      method: "PUT",
      operationId: operationIds.put,
      summary: summaries.put,
      ...(description !== undefined && { description }),
      scope: write,
      body: resource.order,
      isGuarded: true,
      answers: { 200: made?.answer ?? answer },
      problems: ["conflict"],
      async handle(call: TenantCall) {
        const id = idOf(call, name);
        const seen = (shown: Shown | undefined) => assertSeen(call.header, shown, whatIs(id));
        const body = await resource.put(ownerOf(call), id, call.body as Order, seen);
        const { secretFields = [] } = made ?? {};
        const shown = Object.fromEntries(Object.entries(body).filter(([field]) => !secretFields.includes(field)));
        return { ...taggedAnswer(200, shown, body), secretFields };
      },
    },
    {
      ...one,
      method: "DELETE",
      operationId: operationIds.remove,
      summary: summaries.remove,
      scope: write,
      isGuarded: true,
      answers: { 204: Nothing },
      problems: ["not-found", "conflict"],
      async handle(call: TenantCall) {
        const id = idOf(call, name);
        await resource.remove(ownerOf(call), id, (shown) => assertSeen(call.header, shown, whatIs(id)));
        return { status: 204 };
      },
    },
  ];
  return routes;
}

/** The tenant's key; empty in the operator's interface. */
const ownerOf = ({ tenant }: TenantCall): string => tenant ?? "";
const idOf = ({ params }: TenantCall, name: string): string => params[name] ?? "";
