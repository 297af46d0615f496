import { type Static, Type } from "typebox";
import { assetName } from "./asset.ts";

/**
 * Limits: files of each kind per preview, characters per piece, and pieces per file. A string in a body may have at most 64 KiB.
 */
const MAX_FILES = 20;
const MAX_PIECE = 60_000;
const MAX_PIECES = 100;

/** A PNG of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";

const filesOf = (noun: string, example: string, examples: readonly object[]) =>
  Type.Optional(
    Type.Array(
      Type.Object({
        name: assetName("The name by which the canvas refers to it", example),
        file: Type.Array(
          Type.String({
            ...{ maxLength: MAX_PIECE, pattern: "^[A-Za-z0-9+/]*={0,2}$" },
            errorMessage: `must be base64 of at most ${MAX_PIECE} characters: send a longer file in several pieces`,
          }),
          {
            ...{ minItems: 1, maxItems: MAX_PIECES },
            description: `The file in base64, in pieces of at most ${MAX_PIECE} characters`,
          },
        ),
      }),
      {
        ...{ maxItems: MAX_FILES, examples: [examples] },
        description: `${noun} that are not stored, used instead of the tenant's of the same names`,
      },
    ),
  );

/** Files that a preview shows and that are not stored. */
export const previewFiles = {
  images: filesOf("Images", "nutri-a", [{ name: "nutri-a", file: [PIXEL] }]),
  fonts: filesOf("Fonts", "brand-bold", []),
};
const PreviewFiles = Type.Object(previewFiles);
export type PreviewFiles = Static<typeof PreviewFiles>;
