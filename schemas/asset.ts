import { type Static, Type } from "typebox";

/** Files that a tenant uploads for its designs. */
const AssetType = Type.Enum(["image", "font"]);
export type AssetType = Static<typeof AssetType>;

/** Media types of images. */
export const imageTypes = ["image/png", "image/jpeg", "image/svg+xml"] as const;
export type ImageType = (typeof imageTypes)[number];
/** Media types of fonts. */
export const fontTypes = ["font/ttf", "font/otf"] as const;
export type FontType = (typeof fontTypes)[number];
export const isFontType = (mediaType: string): mediaType is FontType =>
  (fontTypes as readonly string[]).includes(mediaType);
const MediaType = Type.Enum([...imageTypes, ...fontTypes]);

/** Limits of a tenant's images: bytes, and sides in pixels. */
export const imageLimits = {
  maxBytes: 2 * 2 ** 20,
  maxSvgBytes: 2 ** 19,
  /** Longest side of an uploaded PNG or JPEG. */
  maxSide: 2048,
  /** Longest side of an image as it is stored for drawing: larger images are reduced. Few labels are larger. */
  maxKeptSide: 1024,
} as const;

/** Limits of a tenant's fonts: bytes, numbers of glyphs and tables, and bytes of the tables that are read into memory. */
export const fontLimits = {
  maxBytes: 8 * 2 ** 20,
  maxGlyphs: 40_000,
  maxTables: 64,
  maxTableBytes: 2 * 2 ** 20,
  /** Maximum number of parts in a composite glyph, including nested parts. */
  maxParts: 100,
} as const;

/** Embedding permissions declared in a font file (OpenType `fsType`). */
const embeddings = ["installable", "editable", "preview-and-print", "restricted"] as const;
const Embedding = Type.Enum([...embeddings]);
export type Embedding = Static<typeof Embedding>;

/** asset.v1: an uploaded file of the tenant, as sent, to which designs refer by name. */
export const Asset = Type.Object({
  type: AssetType,
  mediaType: MediaType,
  /** SHA-256 of the file, under which its bytes are stored as an upload of the tenant. */
  upload: Type.String(),
  bytes: Type.Integer(),
  /** Images only. */
  width: Type.Optional(Type.Integer()),
  height: Type.Optional(Type.Integer()),
  /** Fonts only. */
  glyphs: Type.Optional(Type.Integer()),
  embedding: Type.Optional(Embedding),
  /** Set on a tombstone. */
  deleted: Type.Optional(Type.Literal(true)),
});
export type Asset = Static<typeof Asset>;

/**
 * assetfile.v1: the decoded form of an asset, from which designs are drawn. If it has no image, font or fault, the asset was
 * deleted.
 */
export const AssetFile = Type.Object({
  /** Name of the decoded image file, whose size is bounded. */
  image: Type.Optional(Type.String()),
  /** Name of the upload that contains the font, and the smallest size in pixels at which its letters can be told apart. */
  font: Type.Optional(Type.String()),
  readableFrom: Type.Optional(Type.Integer()),
  /** Why the asset cannot be drawn. */
  fault: Type.Optional(Type.String()),
});
export type AssetFile = Static<typeof AssetFile>;

/** Shorter than a SHA-256, because designs may also refer to a file by its hash. */
const NAME = "^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$";
const namePattern = new RegExp(NAME);
export const isAssetName = (text: string): boolean => namePattern.test(text);

/** The name of an asset in its address and in designs. */
export const assetName = (description: string, example: string) =>
  Type.String({
    pattern: NAME,
    errorMessage: "must consist of 1 to 60 letters A to Z, digits, _ . or -, and begin with a letter or digit",
    description,
    examples: [example],
  });

/** Fields of every asset in a response. */
const told = <MediaTypes extends string>(
  mediaTypes: readonly MediaTypes[],
  example: { name: string; bytes: number },
) => ({
  name: assetName("The name by which designs refer to it", example.name),
  mediaType: Type.Enum([...mediaTypes], { description: "Detected from the file's content" }),
  bytes: Type.Integer({ description: "File size", examples: [example.bytes] }),
});
const sha256 = Type.String({
  description: "SHA-256 of the file in hexadecimal",
  examples: ["074525fc38156c3a51ee883812dc72e499d60f01d45ae078dd21549b5be373cc"],
});

const pixelsOf = (side: string, example: number) =>
  Type.Integer({ description: `${side} in pixels; for an SVG, as the file declares it, rounded`, examples: [example] });

/** Fields of an image in a response. */
export const ImageAnswer = Type.Object(
  {
    ...told(imageTypes, { name: "nutri-a", bytes: 1144 }),
    width: pixelsOf("Width", 240),
    height: pixelsOf("Height", 130),
    sha256,
  },
  { title: "Image" },
);
export type ImageAnswer = Static<typeof ImageAnswer>;

/** Fields of a font in a response. */
export const FontAnswer = Type.Object(
  {
    ...told(fontTypes, { name: "brand-bold", bytes: 168_260 }),
    glyphs: Type.Integer({ description: "Number of glyphs", examples: [1294] }),
    embedding: Type.Unsafe<Embedding | null>({
      type: ["string", "null"],
      enum: [...embeddings, null],
      description:
        "Embedding permissions as declared in the font (OpenType `fsType`); null if the font declares none. Reported, not enforced: check that your licence covers labels",
      examples: ["installable"],
    }),
    sha256,
  },
  { title: "Font" },
);
export type FontAnswer = Static<typeof FontAnswer>;

/** Result of decoding an asset, in the list of assets. */
const decoded = {
  isReady: Type.Boolean({ description: "Whether the file has been decoded, so that designs can use it" }),
  fault: Type.Unsafe<string | null>({
    type: ["string", "null"],
    description: "Why the file could not be decoded; null if it was decoded or has not been tried yet",
    examples: [null],
  }),
};

/** An image in the list of a tenant's images, with the result of its decoding. */
export const ListedImage = Type.Object({ ...ImageAnswer.properties, ...decoded }, { title: "ListedImage" });
export type ListedImage = Static<typeof ListedImage>;

/** A font in the list of a tenant's fonts, with the result of reading it. */
export const ListedFont = Type.Object(
  {
    ...FontAnswer.properties,
    ...decoded,
    readableFrom: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description:
        "Smallest size in pixels at which letters and digits can be told apart; null until the font is ready",
      examples: [9],
    }),
  },
  { title: "ListedFont" },
);
export type ListedFont = Static<typeof ListedFont>;
