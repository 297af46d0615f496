import { type Static, Type } from "typebox";

/** One fault of a request's body or query, with a JSON Pointer to the place. */
const Fault = Type.Object({ pointer: Type.String(), detail: Type.String() }, { title: "Fault" });
export type Fault = Static<typeof Fault>;

/** RFC 9457: every error answer. */
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
