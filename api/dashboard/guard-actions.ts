import type { Context, Middleware } from "koa";
import type { Logger } from "pino";
import type { Permit } from "../access/verify-token.ts";
import { boardAction } from "./board-actions.ts";

export type ActionLog = Pick<Logger, "child">;

/**
 * Passes read requests and, if the session may act (`state.mayAct`), the actions that the dashboard offers. Every action
 * is logged at every LOG_LEVEL, even a rejected one: who did what to which queue and job, and the status.
 */
export function guardActions(log: ActionLog, path: string): Middleware {
  const audit = log.child({ audit: true }, { level: "info" });
  return async (context, next) => {
    if (context.method === "GET" || context.method === "HEAD") return next();
    const { permit, mayAct } = context.state as { permit: Permit; mayAct: boolean };
    const asked = boardAction(context.method, context.path.slice(path.length));
    const action = asked ?? { action: `${context.method} ${context.path}` };
    const note = (status: number) =>
      audit.info({ caller: permit.caller, tenant: permit.tenant, ...action, status }, "action on the dashboard");
    try {
      if (!mayAct) refuse(context as Context, 'Your access is read-only: actions require the scope "ops:write".');
      else if (asked === undefined) refuse(context as Context, "The dashboard does not support this action.");
      else await next();
      note(context.status);
    } catch (error) {
      note(500);
      throw error;
    }
  };
}

/** Responds in the format that the board's page expects, so that it shows the message. */
function refuse(context: Context, message: string): void {
  context.status = 403;
  context.body = { error: { key: "ERRORS.FORBIDDEN" }, message };
}
