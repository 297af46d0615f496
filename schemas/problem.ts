import { type Static, Type } from "typebox";
import { Notice } from "./notice.ts";
import { type RefusalNotice, refusalText } from "./refusal-notice.ts";

/** The refusal by its code; absent if only a program can cause it. */
const notice = Type.Optional(Type.Unsafe<RefusalNotice>(Notice));

/** A fault of a request's body or query; `pointer` is the JSON Pointer of the faulty value. */
const Fault = Type.Object({ pointer: Type.String(), detail: Type.String(), notice }, { title: "Fault" });
export type Fault = Static<typeof Fault>;

/** Makes a fault with its English sentence and its code. */
export const faultAt = (pointer: string, notice: RefusalNotice): Fault => ({
  pointer,
  detail: refusalText(notice),
  notice,
});

/** Body of every error response: a problem document (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String(),
    errors: Type.Optional(Type.Array(Fault)),
    notice,
  },
  { title: "Problem" },
);
export type Problem = Static<typeof Problem>;
