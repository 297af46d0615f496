import { type Static, Type } from "typebox";
import { Role } from "./role.ts";
import { UserGrant } from "./token.ts";

const name = Type.String({ description: "Name of the user", examples: ["ana"] });
const time = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: ["2026-03-03T10:00:00.000Z"] });

/** A user as head office sees it. */
export const Person = Type.Object(
  {
    userName: name,
    stores: UserGrant.stores,
    role: Type.Union([Role, Type.Null()], {
      description: "Its role; null if it has single scopes",
      examples: ["shop"],
    }),
    scope: Type.String({ description: "Its scopes, separated by spaces", examples: ["items:read labels:read"] }),
    lastSeen: time("When it was last on the pages, to a quarter of an hour; null if it never was"),
    invitedUntil: time("Until when its invitation can be accepted; null if none waits"),
    hasPassword: Type.Boolean({ description: "Whether it has a password and can log in", examples: [true] }),
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
          "The page on which the user chooses a password, below the origin of the pages; in this response only",
        examples: ["/join?code=ana.pjnCpTWBmUT1Yy3Q5iG0aVh-3lU0p9v2X0ZfDqv8f5w"],
      }),
    ),
    expires: Type.String({
      description: "Until when it can be accepted, once",
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
    until: Type.String({ description: "When it ends at the latest", examples: ["2026-03-10T08:00:00.000Z"] }),
  },
  { title: "PersonSession" },
);
export type PersonSession = Static<typeof PersonSession>;
