import { type Static, Type } from "typebox";

/** A fault of a request's body or query; `pointer` is the JSON Pointer of the faulty value. */
const Fault = Type.Object({ pointer: Type.String(), detail: Type.String() }, { title: "Fault" });
export type Fault = Static<typeof Fault>;

/** Body of every error answer: a problem document (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String(),
    errors: Type.Optional(Type.Array(Fault)),
  },
  { title: "Problem" },
);
export type Problem = Static<typeof Problem>;
