import { type Static, Type } from "typebox";
import type { MadeBy } from "../../../queues/publishing/versions.ts";
import { Note } from "../../../schemas/version.ts";
import { authorOf } from "../../access/actor-of.ts";
import type { Permit } from "../../access/verify-token.ts";

/** Query parameters of an operation that creates a version. */
export const NoteQuery = Type.Object({ note: Type.Optional(Note) });

/** Who makes a change, and why. */
export const madeBy = (permit: Permit, { note }: Static<typeof NoteQuery>): MadeBy => ({
  author: authorOf(permit),
  ...(note !== undefined && { note }),
});
