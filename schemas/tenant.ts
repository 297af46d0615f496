import { type Static, Type } from "typebox";
import { identifier, plainId } from "./text.ts";

export const CheckDigitRule = Type.Enum(["ascii-sum", "gs1", "none"], {
  description:
    "The sum of the ASCII codes of all other characters modulo 10; the check digit of GS1 (EAN); or that there is none",
});
export type CheckDigitRule = Static<typeof CheckDigitRule>;

/** How the barcodes of a tenant's labels are built. */
export const BarcodeSchemeOrder = Type.Object(
  {
    pattern: Type.String({
      maxLength: 256,
      description:
        "A regular expression with named parts: the digits of `type` are the label type, `check` is the check digit (the " +
        "last character where there is no such part)",
      examples: ["^[A-Z]4[0-9A-Z]{10}(?<type>[0-9]{4})(?<check>[0-9])$"],
    }),
    checkDigit: CheckDigitRule,
  },
  { title: "BarcodeScheme", description: "How barcodes of labels are built; as BARCODE_PATTERN says where absent" },
);
export type BarcodeSchemeOrder = Static<typeof BarcodeSchemeOrder>;

const order = {
  name: Type.String({ minLength: 1, maxLength: 256, description: "What it is called", examples: ["Corner shops"] }),
  barcodeScheme: Type.Optional(BarcodeSchemeOrder),
};

/** What the operator says of a tenant. */
export const TenantOrder = Type.Object(order, { title: "TenantOrder" });
export type TenantOrder = Static<typeof TenantOrder>;

/** A retailer, which owns stores, label types, models, designs and communication packs. */
export const Tenant = Type.Object({
  ...order,
  /** Key of the active communication pack; all its other packs are drafts. */
  communicationPack: Type.Optional(Type.String()),
  /** Set once its removal was ordered: it is unknown to callers, and clean-up deletes all that it has from `due` on. */
  removal: Type.Optional(Type.Object({ since: Type.Unsafe<Date>({}), due: Type.Unsafe<Date>({}) })),
});
export type Tenant = Static<typeof Tenant>;

/** What the operator says of a label server. */
export const LabelServerOrder = Type.Object(
  {
    url: Type.String({
      pattern: "^https?://",
      maxLength: 2048,
      description: "Where its calls go",
      examples: ["https://labels.example.com"],
    }),
    secret: Type.Optional(
      Type.String({
        pattern: "^[!-~]{16,256}$",
        description:
          "Shared with it, both ways. Absent: the present one stays, and one is made for a new label server and shown in " +
          "this answer only",
        examples: ["a-secret-of-16-characters"],
      }),
    ),
    otherSecret: Type.Optional(
      Type.String({
        pattern: "^[!-~]{16,256}$",
        description:
          "A second secret that is good as well, while the secret is replaced: the former one, or the next. Never shown again, " +
          "and none where `secret` is given without it",
        examples: ["the-secret-that-it-had-before"],
      }),
    ),
  },
  { title: "LabelServerOrder" },
);
export type LabelServerOrder = Static<typeof LabelServerOrder>;

/** A label server of a tenant, with the secret that it shares with Shelfwire; two while one is replaced. */
export const LabelServer = Type.Object({
  url: Type.String(),
  secret: Type.String(),
  otherSecret: Type.Optional(Type.String()),
});
export type LabelServer = Static<typeof LabelServer>;

/** The secrets by which a label server and Shelfwire know each other, the one that stays first. */
export const secretsOf = ({
  secret,
  otherSecret,
}: Pick<LabelServer, "secret" | "otherSecret">): [string, ...string[]] =>
  otherSecret === undefined ? [secret] : [secret, otherSecret];

const LinkDepartment = Type.Object({
  id: identifier(128, "Id of the department"),
  alias: Type.Optional(identifier(128, "Another name of it")),
  transceivers: Type.Array(identifier(64, "Short id"), {
    maxItems: 1000,
    description: "Short ids of the transceivers that reach the department's labels",
  }),
});
export type LinkDepartment = Static<typeof LinkDepartment>;

export const Store = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256, description: "What it is called", examples: ["Main street"] }),
    timeZone: Type.String({ maxLength: 64, description: "IANA name", examples: ["Europe/Zagreb"] }),
    currency: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code", examples: ["EUR"] }),
    locale: Type.String({ maxLength: 64, description: "BCP 47 tag; prices are drawn by it", examples: ["hr-HR"] }),
    linkDepartments: Type.Array(LinkDepartment, { maxItems: 1000, description: "Which transceivers reach what" }),
    labelServer: Type.Optional(
      plainId("The label server that its labels are on, one of the tenant's own; the installation's where absent"),
    ),
    parameters: Type.Optional(
      Type.Object(
        {
          ITEM_MUST_EXIST: Type.Optional(
            Type.Boolean({
              default: true,
              description: "Whether a page image is refused where its item does not exist; otherwise it makes the item",
            }),
          ),
          UNIT_PRICE_PER_100: Type.Optional(
            Type.Boolean({
              default: false,
              description:
                "Whether unit prices of goods sold by weight or volume are for 100 g or 100 ml; otherwise for a kilogram or a litre",
            }),
          ),
        },
        { description: "How the store does things" },
      ),
    ),
  },
  { title: "Store" },
);
export type Store = Static<typeof Store>;

/** Colours of labels. Palettes of pictures list them in this order. */
export const Color = Type.Enum(["white", "black", "red", "yellow", "green", "blue", "orange"]);
export type Color = Static<typeof Color>;

/** Longer than any barcode's part that tells it. */
const MAX_TYPE = 999_999_999;
const TypeNumber = Type.Integer({
  minimum: 1,
  maximum: MAX_TYPE,
  description: "Its number, which a label's barcode tells",
});

const ofType = {
  width: Type.Integer({ minimum: 1, maximum: 4096, description: "In pixels", examples: [296] }),
  height: Type.Integer({ minimum: 1, maximum: 4096, description: "In pixels", examples: [128] }),
  dpi: Type.Optional(
    Type.Integer({
      minimum: 40,
      maximum: 600,
      description:
        "Pixels per inch, by which millimetres of designs are counted; default that of the usual panel of its size",
      examples: [112],
    }),
  ),
  colors: Type.Array(Color, {
    minItems: 2,
    maxItems: 7,
    uniqueItems: true,
    description: "What it can show, in the order of its palette",
    examples: [["white", "black", "red"]],
  }),
  display: Type.Enum(["matrix", "segment"], { description: "Whether it shows pictures, or a line of text" }),
  flash: Type.Boolean({ description: "Whether it can flash" }),
  pages: Type.Integer({ minimum: 1, maximum: 128, description: "How many pages it keeps" }),
};

/** What the operator says of a label type. */
export const LabelTypeOrder = Type.Object(ofType, { title: "LabelTypeOrder" });
export type LabelTypeOrder = Static<typeof LabelTypeOrder>;

export const LabelType = Type.Object({ type: TypeNumber, ...ofType }, { title: "LabelType" });
export type LabelType = Static<typeof LabelType>;

const ofModel = {
  labelTypes: Type.Array(TypeNumber, { minItems: 1, maxItems: 100, uniqueItems: true, description: "Its label types" }),
  linkPositions: Type.Integer({
    minimum: 1,
    maximum: 32,
    description: "How many items a label of the model can show",
  }),
};

/** What the operator says of a model. */
export const ModelOrder = Type.Object(ofModel, { title: "ModelOrder" });
export type ModelOrder = Static<typeof ModelOrder>;

/** A model of labels. Models and label types are many to many. */
export const Model = Type.Object({ name: Type.String(), ...ofModel }, { title: "LabelModel" });
export type Model = Static<typeof Model>;
