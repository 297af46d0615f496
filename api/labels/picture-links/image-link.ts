import { Type } from "typebox";
import { ProblemError } from "../../http/problem-error.ts";
import { route } from "../../http/route.ts";
import { PictureOf } from "../label-image.ts";
import { LabelPath, type NoLabel } from "../labels.ts";
import type { PictureLinks } from "./picture-links.ts";

export interface ImageLinkWorld {
  noLabel: NoLabel;
  hasLabel(store: string, barcode: string): Promise<boolean>;
  /** Undefined if another issuer, whose secret is not known here, signs tokens. */
  pictureLinks: PictureLinks | undefined;
  now(): Date;
}

/** How long a link is valid, in seconds. */
export const linkSeconds = { least: 60, most: 7 * 86_400, initial: 86_400 };
const SECOND_MS = 1_000;

const ImageLink = Type.Object(
  {
    path: Type.String({
      description: "Path and query of the picture, relative to the API's origin",
      examples: [
        "/t/demo/s/main/api/label-pictures/D42FLOFYMKP013280?of=newest&expires=1772525730&signature=Xk0vJ5WnK3yqQ1s2fZ8d7GQ0h1m9v4bT6cR5eL2pAaI",
      ],
    }),
    expiresAt: Type.String({ format: "instant", description: "ISO 8601, UTC", examples: ["2026-03-03T08:15:30Z"] }),
  },
  { title: "ImageLink" },
);

/** A link to a label's picture, for dashboards, which cannot send a token. */
export const imageLink = ({ hasLabel, pictureLinks, now, noLabel }: ImageLinkWorld) => [
  route({
    method: "GET",
    path: "/labels/:barcode/image-link",
    operationId: "getLabelImageLink",
    summary: "Get a link to a picture of the label that requires no token and expires",
    description:
      "Anyone who has the link can read this label's current picture until the link expires. It expires early if the token secret is replaced.",
    scope: "labels:read",
    params: LabelPath,
    query: Type.Object({
      of: Type.Optional(PictureOf),
      expiresIn: Type.Optional(
        Type.Integer({
          minimum: linkSeconds.least,
          maximum: linkSeconds.most,
          description: `Seconds for which the link is valid; ${linkSeconds.initial} by default`,
        }),
      ),
    }),
    answers: { 200: ImageLink },
    problems: ["not-found", "no-login"],
    handle: async ({ store, params: { barcode }, query: { of = "newest", expiresIn = linkSeconds.initial } }) => {
      if (pictureLinks === undefined)
        throw new ProblemError(
          "no-login",
          "This server signs no links, because another issuer signs its tokens. Read the image with a token.",
        );
      if (!(await hasLabel(store, barcode))) throw await noLabel(store, barcode);
      const expires = Math.floor(now().getTime() / SECOND_MS) + expiresIn;
      const expiresAt = new Date(expires * SECOND_MS).toISOString().replace(".000Z", "Z");
      return { status: 200, body: { path: pictureLinks.pathOf({ store, barcode, of, expires }), expiresAt } };
    },
  }),
];
