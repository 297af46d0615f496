import { imageLimits } from "../../schemas/asset.ts";
import { ImageFault, type ImageSize } from "./image-fault.ts";
import { MAX_ELEMENTS, readTags, type Tag } from "./svg-tags.ts";

/** Maximum nesting of elements, including through references. */
const MAX_DEPTH = 64;
/** Maximum ratio of the longer to the shorter side. */
const MAX_RATIO = 100;
/** Maximum length of a pattern tile's longer side in pixels: four times the image's. */
const MAX_TILE_SIDE = 4096;
/** Maximum length of the attributes that state the image's size: four numbers with all of their digits. */
const MAX_SIZE_CHARACTERS = 128;

/** Elements that run, load or embed something. Other unknown elements are not drawn. */
const REFUSED = new Set(
  "script handler listener foreignobject image feimage iframe embed object video audio canvas animate set".split(" "),
);

/**
 * Throws an ImageFault unless a file is an SVG that can be drawn safely: one without entities, scripts or external
 * references, and with few elements even after every reference is resolved. Returns its size.
 */
export function checkSvg(file: Buffer): ImageSize {
  const text = textOf(file);
  for (const [, entity = ""] of text.matchAll(ENTITIES))
    if (!KNOWN_ENTITY.test(entity)) throw new ImageFault("defines entities: send an SVG without them");
  if (REFERS_OUTSIDE.test(text)) throw new ImageFault(OUTSIDE);
  const tags = readTags(text);
  for (const tag of tags) checkTag(tag);
  const root = treeOf(tags);
  countDrawn(root);
  const size = sizeOf(root.tag);
  checkPatterns(tags, imageLimits.maxKeptSide / Math.max(...(boxOf(root.tag) ?? [size.width, size.height])));
  return size;
}

const ENTITIES = /&([#\w]{0,9};)?/g;
const KNOWN_ENTITY = /^(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});$/i;
const REFERS_OUTSIDE = /@import|url\(\s*(?:["']\s*)?[^"'#\s]/i;
const OUTSIDE = "refers to something outside the file: send a self-contained SVG";

function textOf(file: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch {
    throw new ImageFault("is an SVG that is not encoded in UTF-8");
  }
}

function checkTag({ name, attributes }: Tag): void {
  const local = localName(name).toLowerCase();
  if (REFUSED.has(local) || local.startsWith("animate"))
    throw new ImageFault(`contains an element <${name}>, which is not supported`);
  for (const [attribute, value] of attributes) {
    const plain = localName(attribute).toLowerCase();
    if (plain.startsWith("on")) throw new ImageFault(`contains a script in the attribute ${attribute}`);
    if ((plain === "href" || plain === "src") && !value.trim().startsWith("#")) throw new ImageFault(OUTSIDE);
  }
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

interface Node {
  tag: Tag;
  children: Node[];
}

function treeOf(tags: readonly Tag[]): Node {
  const above: Node[] = [];
  let root: Node | undefined;
  for (const tag of tags) {
    if (tag.kind === "end") {
      above.pop();
      continue;
    }
    const node: Node = { tag, children: [] };
    const parent = above.at(-1);
    if (parent) parent.children.push(node);
    else if (root) throw new ImageFault("is damaged: it has two root elements");
    else root = node;
    if (tag.kind === "start") above.push(node);
    if (above.length > MAX_DEPTH) throw new ImageFault(TOO_DEEP);
  }
  if (root === undefined || localName(root.tag.name) !== "svg")
    throw new ImageFault("is not an SVG: it has no element <svg>");
  if (above.length > 0) throw new ImageFault("is truncated");
  return root;
}

const TOO_DEEP = `nests elements more than ${MAX_DEPTH} levels deep`;

/**
 * Counts the elements that are drawn. If ten elements refer to ten others each, and so on through ten levels, ten billion
 * elements are drawn. Each element is therefore counted once, and each reference to it adds that count.
 */
function countDrawn(root: Node): void {
  const byId = new Map<string, Node>();
  const collect = (node: Node): void => {
    const id = node.tag.attributes.find(([name]) => name === "id")?.[1];
    if (id !== undefined) byId.set(id, node);
    for (const child of node.children) collect(child);
  };
  collect(root);
  const counts = new Map<Node, number>();
  const count = (node: Node, depth: number): number => {
    if (depth > 2 * MAX_DEPTH) throw new ImageFault(TOO_DEEP);
    const known = counts.get(node);
    if (known !== undefined) return known;
    const named = referredTo(node.tag).flatMap((id) => byId.get(id) ?? []);
    const sum = [...node.children, ...named].reduce((sum, part) => sum + count(part, depth + 1), 1);
    if (sum > MAX_ELEMENTS) throw new ImageFault(`draws more than ${MAX_ELEMENTS} elements`);
    counts.set(node, sum);
    return sum;
  };
  count(root, 0);
}

/** The ids that an element's attributes refer to. */
const referredTo = ({ attributes }: Tag): string[] =>
  attributes.flatMap(([name, value]) =>
    localName(name) === "href"
      ? [value.trim().slice(1)]
      : [...value.matchAll(/url\(\s*["']?#([^"')]*)/gi)].map(([, id = ""]) => id.trim()),
  );

/**
 * Rejects a pattern whose tile is large once it is scaled with the image. The effect of transformations and style sheets
 * becomes known only when the image is drawn, within memory limits.
 */
function checkPatterns(tags: readonly Tag[], scale: number): void {
  for (const { name, attributes } of tags) {
    const given = new Map(attributes);
    if (localName(name) !== "pattern" || given.get("patternUnits") !== "userSpaceOnUse") continue;
    const [width, height] = [lengthOf(given.get("width")) ?? 0, lengthOf(given.get("height")) ?? 0];
    if (Math.max(width, height) * scale > MAX_TILE_SIDE)
      throw new ImageFault(
        `contains a pattern of ${width} x ${height}, drawn as ${Math.round(width * scale)} x ${Math.round(height * scale)} pixels, more than the maximum of ${MAX_TILE_SIDE} x ${MAX_TILE_SIDE}`,
      );
  }
}

/** Width and height of the visible area, in the units of the elements. */
function boxOf({ attributes }: Tag): [width: number, height: number] | undefined {
  const [, , width = 0, height = 0] = (new Map(attributes).get("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return width > 0 && height > 0 ? [width, height] : undefined;
}

function sizeOf(tag: Tag): ImageSize {
  const given = new Map(tag.attributes);
  for (const name of ["viewBox", "width", "height"]) {
    const { length } = given.get(name) ?? "";
    if (length > MAX_SIZE_CHARACTERS)
      throw new ImageFault(`has ${length} characters in its ${name}, more than the maximum of ${MAX_SIZE_CHARACTERS}`);
  }
  const box = boxOf(tag) ?? [];
  const [width, height] = (["width", "height"] as const).map(
    (side, index) => lengthOf(given.get(side)) ?? box[index] ?? 0,
  );
  if (!(width && height && width > 0 && height > 0 && Number.isFinite(width * height)))
    throw new ImageFault("is an SVG without a size: add a viewBox, or width and height");
  if (Math.max(width / height, height / width) > MAX_RATIO)
    throw new ImageFault(`is more than ${MAX_RATIO} times as long as it is wide`);
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}

const PIXELS_PER_UNIT: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
};

/** A length in pixels; undefined if it is relative, such as 100%. */
function lengthOf(text = ""): number | undefined {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?|\.\d+)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const pixels = PIXELS_PER_UNIT[unit.toLowerCase()];
  return digits === undefined || pixels === undefined ? undefined : Number(digits) * pixels;
}
