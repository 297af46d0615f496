import { type Static, Type } from "typebox";

/** What a tenant uploads for its designs. */
const AssetType = Type.Enum(["image"]);
export type AssetType = Static<typeof AssetType>;

/** Media types of images. */
export const imageTypes = ["image/png", "image/jpeg", "image/svg+xml"] as const;
const MediaType = Type.Enum([...imageTypes]);
export type ImageType = Static<typeof MediaType>;

/** Limits of a tenant's images: bytes, and sides in pixels. */
export const imageLimits = {
  maxBytes: 2 * 2 ** 20,
  maxSvgBytes: 2 ** 19,
  /** Of a PNG or JPEG as it is sent. */
  maxSide: 2048,
  /** As it is kept for drawing: a larger one is reduced. No label is larger than that by much. */
  maxKeptSide: 1024,
} as const;

/** asset.v1: a file of the tenant that its designs name, as it was sent. */
export const Asset = Type.Object({
  type: AssetType,
  mediaType: MediaType,
  /** SHA-256 of the file's bytes, by which they are stored as an upload of the tenant. */
  upload: Type.String(),
  bytes: Type.Integer(),
  width: Type.Integer(),
  height: Type.Integer(),
  /** Set on a tombstone. */
  deleted: Type.Optional(Type.Literal(true)),
});
export type Asset = Static<typeof Asset>;

/** assetfile.v1: what designs draw of an asset. Neither an image nor a fault: the asset was deleted. */
export const AssetFile = Type.Object({
  /** Name of the image file, which is decoded and has a bounded size. */
  image: Type.Optional(Type.String()),
  /** Why the asset cannot be drawn. */
  fault: Type.Optional(Type.String()),
});
export type AssetFile = Static<typeof AssetFile>;

/** Shorter than a SHA-256, which names a file in designs too. */
const NAME = "^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$";
const namePattern = new RegExp(NAME);
export const isAssetName = (text: string): boolean => namePattern.test(text);

/** The name of an image in its address and in designs. */
export const imageName = (description: string) => Type.String({ pattern: NAME, description, examples: ["nutri-a"] });

const pixelsOf = (side: string, example: number) =>
  Type.Integer({ description: `${side} in pixels; of an SVG as it says itself, rounded`, examples: [example] });

/** What is told of an image of the tenant. */
export const ImageAnswer = Type.Object(
  {
    name: imageName("What designs name it by"),
    mediaType: Type.Enum([...imageTypes], { description: "Found in the file itself" }),
    bytes: Type.Integer({ description: "Size of the file", examples: [1144] }),
    width: pixelsOf("Width", 240),
    height: pixelsOf("Height", 130),
    sha256: Type.String({
      description: "SHA-256 of the file, in hexadecimal digits",
      examples: ["074525fc38156c3a51ee883812dc72e499d60f01d45ae078dd21549b5be373cc"],
    }),
  },
  { title: "Image" },
);
export type ImageAnswer = Static<typeof ImageAnswer>;

const isReady = Type.Boolean({ description: "Whether it has been decoded, so that designs draw it" });

/** An image in the list of a tenant's images: with what decoding it gave. */
export const ListedImage = Type.Object(
  {
    ...ImageAnswer.properties,
    isReady,
    fault: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Why it cannot be decoded; null where it can, or has not been yet",
      examples: [null],
    }),
  },
  { title: "ListedImage" },
);
export type ListedImage = Static<typeof ListedImage>;
