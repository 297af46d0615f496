import { Type } from "typebox";
import type { HeldRecord, Holds } from "../../records/requests/held/holds.ts";
import { HeldRequest, HeldSummary, HoldOrder, HoldState } from "../../schemas/held-request.ts";
import { pageLimit, Start } from "../../schemas/paging.ts";
import { route } from "../http/route.ts";
import { RequestIdText } from "../requests/results.ts";
import { type createDecideHeld, noHeld } from "./decide-held.ts";
import { heldRequest, heldSummary } from "./held-answer.ts";

export interface HeldRequestsWorld {
  holds: Pick<Holds, "list" | "read">;
  decideHeld: ReturnType<typeof createDecideHeld>;
}

const HeldPath = Type.Object({ requestId: RequestIdText });
const AGAIN = "Never by its sender, and only with a token that has a subject. ";

/** Operations on requests that price guards hold until a second person decides (docs/integrators/guards.md). */
export const heldRequests = ({ holds, decideHeld }: HeldRequestsWorld) => {
  async function existing(store: string, requestId: string): Promise<HeldRecord> {
    const found = await holds.read(store, Number(requestId));
    if (found === undefined) throw noHeld(Number(requestId));
    return found;
  }

  return [
    route({
      method: "GET",
      path: "/held-requests",
      operationId: "listHeldRequests",
      summary: "List the requests that price guards hold or held, newest first",
      scope: "items:read",
      query: Type.Object({
        state: Type.Optional(HoldState),
        start: Type.Optional(Start),
        limit: Type.Optional(pageLimit()),
      }),
      answers: { 200: Type.Array(HeldSummary) },
      async handle({ store, settings: { timeZone }, query: { state, start = 0, limit = 100 } }) {
        const found = await holds.list(store, { state, start, limit });
        return { status: 200, body: found.map((held) => heldSummary(held, timeZone)) };
      },
    }),

    route({
      method: "GET",
      path: "/held-requests/:requestId",
      operationId: "getHeldRequest",
      summary: "Get a held request: its rows, the guards that they hit, and who sent it",
      scope: "items:read",
      params: HeldPath,
      answers: { 200: HeldRequest },
      problems: ["not-found"],
      handle: async ({ store, settings: { timeZone }, params: { requestId } }) => ({
        status: 200,
        body: heldRequest(await existing(store, requestId), timeZone),
      }),
    }),

    route({
      method: "POST",
      path: "/held-requests/:requestId/approve",
      operationId: "approveHeldRequest",
      summary: "Approve a held request, so that it is applied",
      description:
        `${AGAIN}It is applied once, under the number that it got when it was sent, so prices that were sent later are kept. The guards are ` +
        "checked again first. If they find something that the request does not show, the response is 409, and the request shows it from then on.",
      scope: "prices:approve",
      params: HeldPath,
      body: HoldOrder,
      isBodyOptional: true,
      answers: { 200: HeldRequest },
      problems: ["not-found", "conflict"],
      async handle({ store, settings, permit, params: { requestId }, body }) {
        const number = Number(requestId);
        const held = await decideHeld.approve({ store, settings, permit, number, note: body?.note });
        return { status: 200, body: heldRequest(held, settings.timeZone) };
      },
    }),

    route({
      method: "POST",
      path: "/held-requests/:requestId/refuse",
      operationId: "refuseHeldRequest",
      summary: "Refuse a held request, so that it never takes effect",
      description: `${AGAIN}Its rows are ERROR in its result, with the note.`,
      scope: "prices:approve",
      params: HeldPath,
      body: HoldOrder,
      isBodyOptional: true,
      answers: { 200: HeldRequest },
      problems: ["not-found", "conflict"],
      async handle({ store, settings, permit, params: { requestId }, body }) {
        const number = Number(requestId);
        const held = await decideHeld.refuse({ store, settings, permit, number, note: body?.note });
        return { status: 200, body: heldRequest(held, settings.timeZone) };
      },
    }),
  ];
};
