import { designFault } from "../../domain/linking/design-fault.ts";
import type { Surroundings } from "../../drawing/links/surroundings.ts";
import type { Drawing } from "../../drawing/thread/draw-within-limits.ts";
import { assetFiles, canvasDesigns, designs } from "../../records/kinds/designs.ts";
import { itemPages } from "../../records/kinds/items.ts";
import { designerLinks } from "../../records/kinds/links.ts";
import { models } from "../../records/kinds/tenants.ts";
import { modelOfLabel, positionsOf, possibleLinks } from "../../records/linking/links-of-labels.ts";
import type { ReadTogether } from "../../records/read-together.ts";
import type { CanvasDesign } from "../../schemas/canvas.ts";
import type { Design, DesignerLink } from "../../schemas/design.ts";
import type { DrawingNotice } from "../../schemas/drawing-notice.ts";
import type { DrawnBy } from "../../schemas/image.ts";
import { itemNamedBy, labelOfLink, tenantOf } from "../../schemas/keys.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { dpiOf } from "../../schemas/panels.ts";
import type { Stored } from "../../schemas/record.ts";
import { type Loaded, sourceOf } from "../changes/derivation.ts";
import { partsOf, placesOfLinks, surround, surroundingKinds, type WithShown } from "./load-surroundings.ts";
import { type NamedFiles, readNamedFiles } from "./named-files.ts";

/** The facts from which a studio or designer link's picture is drawn. */
export interface StudioFacts extends Surroundings {
  designerLink: DesignerLink;
  /** Reason why the link's design must not be drawn on the label. If set, there is no canvas. */
  designFault?: DrawingNotice;
  /** The canvas of its design; undefined if the link has no design, or the canvas is missing. */
  canvas: Stored<CanvasDesign> | undefined;
  /** The images and the tenant's fonts that the design names. */
  images: NamedFiles["images"];
  fonts?: NamedFiles["fonts"];
}

/** The facts as read, and whether the picture is the label's whole picture. */
export interface LoadedFacts extends WithShown<StudioFacts> {
  /** Whether the label shows nothing but this link: the label has one position, and the item has no page images. */
  isAlone: boolean;
  /** The key under which the item's page images were looked up. Absent if they were not. */
  soughtPages?: string;
  /** Whether the link may have an ECC link, whose picture is derived from the same item and label. */
  hasEccLink: boolean;
}

/** Returns the rule and the versions that determine a link's picture. Designs from releases that kept no versions have none. */
const drawnBy = (
  { chosenBy, design_id }: DesignerLink,
  design: Stored<Design>,
  canvas: Stored<CanvasDesign> | undefined,
): DrawnBy => ({
  ...(chosenBy && design_id === design._id && chosenBy),
  ...(design.version && { version: design.version.number }),
  ...(canvas?.version && { canvasVersion: canvas.version.number }),
});

/** Every link belongs to the rules or to a designer, except for ECC links and ended links. */
const mayHaveEccLink = ({ derivedFrom, isDesigners }: DesignerLink): boolean =>
  derivedFrom === undefined && isDesigners === undefined;

/** Identifies one rev of a canvas design at a label type's resolution. */
export const designIdOf = ({ _id, rev }: Stored<CanvasDesign>, labelType: LabelType): string =>
  `${_id}#${rev}@${dpiOf(labelType)}`;

/** The kinds from which the facts are read. */
export const studioFactKinds = [designerLinks, ...surroundingKinds, designs, canvasDesigns, assetFiles];

/** The canvas that each design named when last read, so that it can be read together with the design. */
export type LastCanvases = Pick<Map<string, string>, "get"> & { set(design: string, canvas: string): unknown };

/**
 * Loads the facts of these links' pictures. Decides whether a design may be drawn, for designs from rules, store-level links and
 * designers, and for forced designs. `showsAlone` returns true for links whose labels prove that their items have no page
 * images: page images are looked up only for the other links.
 */
export async function loadFacts(
  read: ReadTogether,
  keys: readonly string[],
  drawing: Pick<Drawing, "nameImages">,
  lastCanvases: LastCanvases = new Map(),
  showsAlone: (link: Stored<DesignerLink>) => boolean = () => false,
): Promise<Map<string, Loaded<LoadedFacts>>> {
  const [linkRecords, ofLabels, ofStores] = await read([{ kind: designerLinks, keys }, ...placesOfLinks(keys)]);
  const links = [...linkRecords.values()];
  const alone = new Set(links.filter(showsAlone));
  const chosen = links.flatMap(({ design_id }) => design_id ?? []);
  const expected = new Set(chosen.flatMap((design) => lastCanvases.get(design) ?? []));
  const [ofItems, ofTypes, designRecords, ofModels, withPages, ofExpected] = await read([
    ...partsOf(links, ofLabels),
    { kind: designs, keys: chosen },
    { kind: models, keys: [...ofLabels.values()].map(modelOfLabel), fields: ["linkPositions"] },
    { kind: itemPages, keys: links.filter((one) => !alone.has(one)).map(itemNamedBy), fields: [] },
    { kind: canvasDesigns, keys: [...expected] },
  ]);
  for (const { _id, canvasId } of designRecords.values()) lastCanvases.set(_id, canvasId);
  const canvasIds = [...designRecords.values()].map(({ canvasId }) => canvasId);
  const [ofOthers] = await read([{ kind: canvasDesigns, keys: canvasIds.filter((canvas) => !expected.has(canvas)) }]);
  const canvases = new Map([...ofExpected, ...ofOthers]);
  const positions = positionsOf(ofModels);
  const neighbours = { items: ofItems, labels: ofLabels, labelTypes: ofTypes, stores: ofStores };
  const surrounded = surround(designerLinks, links, neighbours);
  const loaded = surrounded.map(({ link, sources, ...surroundings }) => {
    const design = designRecords.get(link.design_id ?? "");
    const canvas = canvases.get(design?.canvasId ?? "");
    const { design_id: chosen } = link;
    const fault = chosen === null ? undefined : designFault(chosen, surroundings.labelType.type, designRecords);
    const drawn = [
      ...(link.design_id === null ? [] : [sourceOf(designs, link.design_id, design)]),
      ...(design ? [sourceOf(canvasDesigns, design.canvasId, canvas)] : []),
    ];
    const isActive = link.status === "ACTIVE";
    const shows = {
      ...surroundings.shows,
      ...(isActive && design && { design: design._id, designRev: Math.max(design.rev, canvas?.rev ?? 0) }),
      ...(isActive && { otherRev: Math.max(surroundings.shows.otherRev ?? 0, link.choiceRev ?? 0) }),
      ...(isActive && design && { drawnBy: drawnBy(link, design, canvas) }),
    };
    const label = ofLabels.get(labelOfLink(link._id).label);
    const [only, ...further] = label ? possibleLinks(label, positions) : [];
    const sought = alone.has(link) ? undefined : itemNamedBy(link);
    const facts = {
      ...surroundings,
      hasEccLink: mayHaveEccLink(link),
      isAlone: only === link._id && further.length === 0 && !withPages.has(sought ?? ""),
      ...(sought !== undefined && { soughtPages: sought }),
      shows,
      designerLink: link,
      ...(fault !== undefined && { designFault: fault }),
      canvas: fault !== undefined || canvas?.deleted ? undefined : canvas,
    };
    return { key: link._id, facts, sources: isActive ? [...sources, ...drawn] : sources };
  });
  const users = loaded.flatMap(({ key, facts: { canvas, ...facts } }) =>
    canvas ? [{ ...facts, tenant: tenantOf(key), designId: designIdOf(canvas, facts.labelType), canvas, key }] : [],
  );
  const files = await readNamedFiles(read, users, drawing);
  const filesOf = new Map(users.map(({ key }, index) => [key, files[index] as NamedFiles]));
  return new Map(
    loaded.map(({ key, facts, sources }) => {
      const { sources: ofFiles, ...named } = filesOf.get(key) ?? { images: new Map(), sources: [] };
      return [key, { facts: { ...facts, ...named }, sources: [...sources, ...ofFiles] }];
    }),
  );
}
