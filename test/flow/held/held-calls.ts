import type { HeldRequest, OnGuard } from "../../../schemas/held-request.ts";
import type { ItemPatch } from "../../../schemas/item.ts";
import { bodyOf } from "../../api/calls.ts";
import type { Served } from "../../harness/served.ts";

export interface Sent {
  requestId: number;
  held?: { requestId: number; rows: number };
}

/** The calls of a person, whose token has this subject. */
export function callsOf(shelfwire: Served, subject: string, scope = "*") {
  const call = async (method: string, path: string, body?: unknown): Promise<Response> =>
    shelfwire.call(method, path, body, { authorization: `Bearer ${await shelfwire.token({ subject, scope })}` });
  return {
    send: (rows: readonly ItemPatch[], onGuard?: OnGuard) =>
      call("PATCH", `/items${onGuard === undefined ? "" : `?onGuard=${onGuard}`}`, rows),
    /** Sends rows that are held; returns the number of the held request. */
    async hold(rows: readonly ItemPatch[], onGuard: OnGuard = "HOLD"): Promise<number> {
      const answer = await call("PATCH", `/items?onGuard=${onGuard}`, rows);
      const { held } = (await answer.json()) as Sent;
      if (held === undefined) throw new Error(`the request is not held: ${answer.status}`);
      return held.requestId;
    },
    get: async (number: number) => bodyOf<HeldRequest>(await call("GET", `/held-requests/${number}`)),
    list: async (query = "") => bodyOf<HeldRequest[]>(await call("GET", `/held-requests${query}`)),
    approve: (number: number, note?: string) =>
      call("POST", `/held-requests/${number}/approve`, note === undefined ? undefined : { note }),
    refuse: (number: number, note?: string) =>
      call("POST", `/held-requests/${number}/refuse`, note === undefined ? undefined : { note }),
  };
}
