import { checkedBeyondSchema } from "../checked-beyond-schema.ts";
import type { Call } from "./calls.ts";
import type { SchemaCheck } from "./schema-check.ts";

/** A response as received. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Operations in which an omission breaks a rule that no schema expresses: which strings are patterns, and that LINK needs a
 * design.
 */
const refusedWhereEmpty = ["putTenant", "linkBulk"];
/** Statuses of a well-formed call that is not carried out. */
const refusedForWhatIsStored = [403, 404, 409, 412];

/**
 * Returns what is wrong with a response, according to the document: its status, type, headers or body, or that a call was
 * wrongly accepted or rejected.
 */
export function faultsOf(call: Call, answer: Answer, check: SchemaCheck): string[] {
  const { operation, expected } = call;
  const { status, headers, text } = answer;
  if (expected === 405)
    return status === 405 && headers.has("allow") ? [] : [`it is ${status}, and not 405 with Allow`];
  const described = operation.answers[status];
  if (described === undefined) return [`${status} is not in the document`];
  return [
    ...(isExpected(call, status) ? [] : [`it is ${status} instead of ${expected}`]),
    ...Object.entries(described.headers)
      .filter(([name, { required }]) => required === true && !headers.has(name))
      .map(([name]) => `it has no ${name}`),
    ...faultsOfContent(described.content, headers.get("content-type")?.split(";")[0] ?? "", text, check),
  ];
}

function isExpected({ expected, operation: { operationId } }: Call, status: number): boolean {
  if (typeof expected === "number") return status === expected;
  if (expected === "bad") return status === 400;
  const isCheckedFurther = checkedBeyondSchema.includes(operationId) || refusedWhereEmpty.includes(operationId);
  return status < 400 || refusedForWhatIsStored.includes(status) || (status === 400 && isCheckedFurther);
}

function faultsOfContent(
  content: Call["operation"]["answers"][string]["content"],
  type: string,
  text: string,
  check: SchemaCheck,
): string[] {
  const media = content[type];
  if (media === undefined) {
    const isNone = Object.keys(content).length === 0 && text === "";
    return isNone ? [] : [`its type "${type}" is not in the document`];
  }
  if (!type.endsWith("json") || media.schema === undefined) return [];
  return check(media.schema, JSON.parse(text)).map(({ place, message }) => `its body at "${place}" ${message}`);
}
