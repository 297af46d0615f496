import type { CallNote, CallNotes } from "../../records/activity/call-notes.ts";
import { currentCauses } from "../../runtime/causes.ts";
import { tenantKey } from "../../schemas/keys.ts";
import { actorOf } from "../access/actor-of.ts";
import type { Permit } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import { problems } from "../http/problem-kinds.ts";
import type { Answer, Owner, Route } from "../http/route.ts";

/** A call as the activity log names it: the names of the body's fields, never their contents. */
interface NotedCall extends Owner {
  route: Pick<Route, "method" | "of" | "operationId" | "changes">;
  permit: Permit;
  params: Readonly<Record<string, string>>;
  body: unknown;
}

export type NoteCall = (call: NotedCall, perform: () => Promise<Answer>) => Promise<Answer>;

/**
 * Performs a call and records it for the activity log if the call makes a change that no journaled request names. A
 * call of the management interface, or one that changes a store's records directly, is recorded before it takes effect,
 * so that every change has its actor even if this process is killed. Any other call, such as an action on labels, is
 * recorded afterwards, because only then is it known whether it journaled a request.
 */
export function createNoteCall(notes: CallNotes, onError: (error: Error) => void): NoteCall {
  async function noteBefore(owner: string, note: CallNote, perform: () => Promise<Answer>): Promise<Answer> {
    const key = await notes.begin(owner, note);
    try {
      const answer = await perform();
      // Without this, the log shows the outcome as unknown.
      await notes.end(key, "DONE").catch(onError);
      return answer;
    } catch (error) {
      const isRefused = error instanceof ProblemError && problems[error.problem].status < 500;
      await (isRefused ? notes.drop([key]) : notes.end(key, "FAILED")).catch(onError);
      throw error;
    }
  }

  return async ({ route, store, tenant, permit, params, body }, perform) => {
    if (route.method === "GET" || route.changes === "nothing") return perform();
    const [cause] = currentCauses();
    const owner = store ?? tenant ?? (params.tenantId === undefined ? undefined : tenantKey(params.tenantId));
    if (owner === undefined) return perform();
    const note: CallNote = {
      actor: cause?.actor ?? actorOf(permit),
      operation: route.operationId,
      ...(cause?.call !== undefined && { call: cause.call }),
      names: params,
      fields: fieldsOf(body),
    };
    if (route.of !== undefined || route.changes === "records") return noteBefore(owner, note, perform);
    const answer = await perform();
    if (cause?.request === undefined) await notes.begin(owner, note, "DONE");
    return answer;
  };
}

const fieldsOf = (body: unknown): string[] =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? Object.keys(body) : [];
