import type { TSchema } from "typebox";
import { CanvasLayout, GroupElement, StackElement } from "../../../../schemas/canvas.ts";
import { LinearCodeElement, MatrixCodeElement } from "../../../../schemas/canvas-codes.ts";
import { ImageElement } from "../../../../schemas/canvas-images.ts";
import { typefaces } from "../../../../schemas/canvas-parts.ts";
import { shapeElements } from "../../../../schemas/canvas-shapes.ts";
import { PriceElement, TextElement } from "../../../../schemas/canvas-texts.ts";
import type { FormField } from "../../browser/designer/canvases/panels/form-field.ts";

/** The schema of a field, as far as a form shows it. */
interface FieldSchema {
  type?: string | readonly string[];
  enum?: readonly (string | number)[];
  const?: string;
  anyOf?: readonly FieldSchema[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  description?: string;
  properties?: Readonly<Record<string, FieldSchema>>;
}

interface ObjectSchema {
  properties: Readonly<Record<string, TSchema>>;
  required?: readonly string[];
}

/** Fields that a form shows elsewhere, or that are not values. */
const APART: ReadonlySet<string> = new Set(["kind", "elements"]);
const PLACE: ReadonlySet<string> = new Set(["x", "y", "width", "height", "rotate"]);
const CONTENT: ReadonlySet<string> = new Set(["text", "value", "image", "name"]);
/** The fields that designers use most; all others are further down. */
const LOOK: ReadonlySet<string> = new Set([
  ...[
    "font",
    "size",
    "minimumSize",
    "align",
    "verticalAlign",
    "color",
    "lines",
    "fill",
    "stroke",
    "thickness",
    "radius",
  ],
  ...["struck", "decimalsPercent", "currency", "fit", "direction", "gap", "flow"],
]);
const TEMPLATES: ReadonlySet<string> = new Set(["text", "value", "image"]);

/** The fields of each kind of element, and of a layout under `layout`, in the order of the schema. */
export const formFields: Readonly<Record<string, readonly FormField[]>> = Object.fromEntries([
  ...[TextElement, PriceElement, ImageElement, ...shapeElements, GroupElement, StackElement].map((schema) => [
    kindIn(schema),
    fieldsOf(schema),
  ]),
  ...kindsIn(LinearCodeElement).map((kind) => [kind, fieldsOf(LinearCodeElement)]),
  ...kindsIn(MatrixCodeElement).map((kind) => [kind, fieldsOf(MatrixCodeElement)]),
  ["layout", fieldsOf(CanvasLayout).filter(({ name }) => name === "background" || name === "rotate")],
]);

function fieldsOf(schema: unknown): FormField[] {
  const { properties, required = [] } = schema as ObjectSchema;
  return Object.entries(properties)
    .filter(([name]) => !APART.has(name))
    .map(([name, field]) => fieldOf(name, field as FieldSchema, required.includes(name)));
}

function fieldOf(name: string, schema: FieldSchema, isRequired: boolean): FormField {
  const { description = "", minimum, maximum, maxLength } = schema;
  return {
    name,
    section: sectionOf(name),
    ...controlOf(name, schema),
    help: description,
    ...(isRequired && { isRequired }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

function sectionOf(name: string): FormField["section"] {
  if (PLACE.has(name)) return "place";
  if (CONTENT.has(name)) return "content";
  return LOOK.has(name) ? "look" : "more";
}

function controlOf(name: string, schema: FieldSchema): Pick<FormField, "control" | "options"> {
  if (TEMPLATES.has(name) && schema.type === "string") return { control: "template" };
  if (name === "visible") return { control: "condition" };
  if (name === "font") return { control: "font", options: [...typefaces] };
  if (name === "background") return { control: "color" };
  if (isColor(schema)) return { control: allowsContrast(schema) ? "ink" : "color" };
  const options = optionsIn(schema);
  if (options) return { control: "choice", options };
  if (Array.isArray(schema.type)) return { control: "length" };
  if (schema.type === "integer") return { control: "integer" };
  if (schema.type === "boolean") return { control: "choice", options: ["true", "false"] };
  return { control: schema.type === "string" ? "letters" : "json" };
}

function isColor({ anyOf = [] }: FieldSchema): boolean {
  return anyOf.some((one) => one.enum?.includes("white") === true);
}

function allowsContrast({ anyOf = [] }: FieldSchema): boolean {
  return anyOf.some((one) => one.const === "contrast");
}

/** Returns the values that a field offers, as strings; undefined for any other field. */
function optionsIn({ enum: values, anyOf = [] }: FieldSchema): string[] | undefined {
  if (values) return values.map(String);
  const all = anyOf.map((one) => (one.type === "boolean" ? ["true", "false"] : one.enum?.map(String)));
  return all.length > 0 && all.every((one) => one !== undefined) ? all.flat() : undefined;
}

function kindIn(schema: unknown): string {
  const { kind } = (schema as { properties: { kind: FieldSchema } }).properties;
  return kind.const ?? "";
}

function kindsIn(schema: unknown): string[] {
  const { kind } = (schema as { properties: { kind: FieldSchema } }).properties;
  return (kind.enum ?? []).map(String);
}
