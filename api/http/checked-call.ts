import type { Fault } from "../../schemas/problem.ts";
import { type Check, MAX_FAULTS } from "../../schemas/validate.ts";
import type { compileBodyCheck, Forms } from "../body/check-body.ts";
import { unknownFieldsIn } from "../body/refuse-unknown-fields.ts";
import { ProblemError } from "./problem-error.ts";
import type { Route } from "./route.ts";

export async function checkedBody(
  route: Route,
  check: ReturnType<typeof compileBodyCheck>,
  body: unknown,
  forms: Forms | undefined,
): Promise<unknown> {
  const isAbsent = body === undefined || (body === null && route.isBodyOptional && forms !== undefined);
  if (!isAbsent) {
    const { faults, value } = await check(body, forms);
    assertNone(faults.length > 0 ? faults : unknownFieldsIn(route, value), "body");
    return value;
  }
  if (route.isBodyOptional) return undefined;
  const errors = [{ pointer: "", detail: "is missing" }];
  throw new ProblemError("invalid-request", "The operation requires a body.", { errors });
}

export function checked(check: Check | undefined, what: string, value: unknown): unknown {
  assertNone(check?.(value) ?? [], what);
  return value;
}

/** Throws the problem that lists all faults of a part of a call. */
export function assertNone(faults: readonly Fault[], what: string): void {
  if (faults.length === 0) return;
  const errors = faults.map((fault) => ({ ...fault, pointer: pointerInto(what, fault.pointer) }));
  const count = faults.length > MAX_FAULTS ? `more than ${MAX_FAULTS}` : String(faults.length);
  throw new ProblemError("invalid-request", `The ${what} has ${count} fault${faults.length > 1 ? "s" : ""}.`, {
    errors,
  });
}

/** JSON Pointer of a fault. In a query it names only the parameter; the fault's detail names the wrong value. */
function pointerInto(what: string, pointer: string): string {
  if (what === "body") return pointer;
  return `/${what}${what === "query" ? /^(\/[^/]*)?/.exec(pointer)?.[0] : pointer}`;
}
