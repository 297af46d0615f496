import { type Static, Type } from "typebox";
import { Role } from "./role.ts";
import { UserGrant } from "./token.ts";

const name = Type.String({ description: "Name of the user", examples: ["ana"] });
const time = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: ["2026-03-03T10:00:00.000Z"] });

/** A user as head office sees them. */
export const Person = Type.Object(
  {
    userName: name,
    stores: UserGrant.stores,
    role: Type.Union([Role, Type.Null()], {
      description: "The user's role; null if the user has individual scopes",
      examples: ["shop"],
    }),
    scope: Type.String({ description: "The user's scopes, separated by spaces", examples: ["items:read labels:read"] }),
    lastSeen: time("When the user last used the pages, to a quarter of an hour; null if never"),
    invitedUntil: time("When the user's pending invitation expires; null if there is none"),
    hasPassword: Type.Boolean({ description: "Whether the user has a password and can log in", examples: [true] }),
  },
  { title: "Person" },
);
export type Person = Static<typeof Person>;

/** What an invited user may do. */
export const InvitationOrder = Type.Object(UserGrant, { title: "InvitationOrder" });
export type InvitationOrder = Static<typeof InvitationOrder>;

/** An invitation, shown once. */
export const Invitation = Type.Object(
  {
    userName: name,
    path: Type.Optional(
      Type.String({
        description:
          "Path of the page on which the user chooses a password, relative to the pages' origin; in this response only",
        examples: ["/join?code=ana.pjnCpTWBmUT1Yy3Q5iG0aVh-3lU0p9v2X0ZfDqv8f5w"],
      }),
    ),
    expires: Type.String({
      description: "When the invitation expires; it can be accepted once",
      examples: ["2026-03-10T10:00:00.000Z"],
    }),
  },
  { title: "Invitation" },
);
export type Invitation = Static<typeof Invitation>;

/** A session of a user on the pages. */
export const PersonSession = Type.Object(
  {
    sessionId: Type.String({
      description: "Id with which the session can be ended",
      examples: ["nU1CpTWBmUT1Yy3Q5iG0aVh-3lU0p9v2X0ZfDqv8f5w"],
    }),
    device: Type.String({ description: "Browser and system; empty if unknown", examples: ["Chrome, Android"] }),
    begun: Type.String({ description: "When it began", examples: ["2026-03-03T08:00:00.000Z"] }),
    seen: Type.String({ description: "When it was last used, to a minute", examples: ["2026-03-03T10:00:00.000Z"] }),
    until: Type.String({ description: "Latest time at which it ends", examples: ["2026-03-10T08:00:00.000Z"] }),
  },
  { title: "PersonSession" },
);
export type PersonSession = Static<typeof PersonSession>;
