import { hash } from "node:crypto";
import type { LabelImages } from "../../../domain/labels/merge-images.ts";
import { itemPages } from "../../../records/kinds/items.ts";
import { eccEslImages, renderedImages } from "../../../records/kinds/pictures.ts";
import { linksByLabel } from "../../../records/linking/links-of-labels.ts";
import type { Records } from "../../../records/records.ts";
import type { EslImage } from "../../../schemas/image.ts";
import type { Stored } from "../../../schemas/record.ts";
import { type Derivation, inputOfSource, type Loaded } from "../../changes/derivation.ts";
import type { eccEslImageDerivation } from "../ecc-esl-image.ts";
import type { LoadedFacts } from "../load-facts.ts";
import type { renderedImageDerivation } from "../rendered-image.ts";
import type { studioLinkDerivation } from "../studio-link.ts";
import { chooseDesigns } from "./choose-designs.ts";
import { createReadAhead, type ReadAhead } from "./read-ahead.ts";

/** The derivations from an item to a label's picture; none of them writes anything. */
interface Dependencies {
  records: Records;
  /** Returns the derivation that makes the rules' choice at a given time. */
  studioLinksAt(at: Date): ReturnType<typeof studioLinkDerivation>;
  ofLinks: ReturnType<typeof renderedImageDerivation>;
  ofModels: ReturnType<typeof eccEslImageDerivation>;
  ofLabels: Derivation<LabelImages, EslImage>;
}

/** What a label will show at a given time, and a digest of the data from which its picture is drawn. */
interface Foreseen {
  basis: string;
  image: EslImage;
}

/** Computes what labels will show at a given time. A picture is drawn only if `isNews` reports its digest as new. */
export type Foresee = (
  labelKeys: readonly string[],
  at: Date,
  isNews: (label: string, basis: string) => boolean,
) => Promise<Map<string, Foreseen>>;

/**
 * Computes what labels will show at a given time, with the derivations that will run then: items' scheduled updates are applied
 * in memory, and the derived records replace the stored ones. Only picture files are stored, so what labels show is still
 * decided when the real change happens.
 */
export function createForesee({ records, studioLinksAt, ofLinks, ofModels, ofLabels }: Dependencies): Foresee {
  /** Draws what links will show, and puts the pictures into `ahead`. */
  async function draw(ahead: ReadAhead, loaded: ReadonlyMap<string, Loaded<LoadedFacts>>): Promise<void> {
    ahead.put(renderedImages, await decideAll(ofLinks, loaded));
    const withModel = [...loaded].flatMap(([key, { facts }]) => (facts.hasEccLink ? [key] : []));
    if (withModel.length === 0) return;
    ahead.put(eccEslImages, await decideAll(ofModels, await ofModels.load(withModel, ahead.read)));
  }

  return async (labelKeys, at, isNews) => {
    const ahead = createReadAhead(records, at);
    const byLabel = await linksByLabel(records, labelKeys);
    const linkKeys = [...byLabel.values()].flat();
    await chooseDesigns(records, studioLinksAt(at), ahead, linkKeys);
    const loaded = await ofLinks.load(linkKeys, ahead.read);
    const uploads = await records.readRevs(
      itemPages,
      [...loaded.values()].map(({ facts }) => facts.shows.item),
    );
    const revsOf = (item: string) => [ahead.scheduleRevOf(item), uploads.get(item) ?? 0];
    const ofLinksOf = (keys: readonly string[]) => keys.flatMap((key) => loaded.get(key) ?? []);
    const bases = new Map([...byLabel].map(([label, keys]) => [label, digestOf(ofLinksOf(keys), revsOf)]));
    const news = [...bases].filter(([label, basis]) => isNews(label, basis)).map(([label]) => label);
    if (news.length === 0) return new Map();
    const drawn = new Set(news.flatMap((label) => byLabel.get(label) ?? []));
    await draw(ahead, new Map([...loaded].filter(([key]) => drawn.has(key))));
    const images = await decideAll(ofLabels, await ofLabels.load(news, ahead.read));
    return new Map([...images].map(([label, image]) => [label, { image, basis: bases.get(label) ?? "" }]));
  };
}

/** Decides records as their derivation does, and returns them in an empty envelope. */
async function decideAll<Facts, Body>(
  { decide }: Pick<Derivation<Facts, Body>, "decide">,
  loaded: ReadonlyMap<string, Loaded<Facts>>,
): Promise<Map<string, Stored<Body>>> {
  const cases = [...loaded].map(([key, { facts }]) => ({ key, facts, current: undefined }));
  const bodies = await decide(cases);
  return new Map(
    cases.flatMap(({ key }, index): [string, Stored<Body>][] => {
      const body = bodies[index];
      return body === undefined ? [] : [[key, { ...unstored, _id: key, ...body }]];
    }),
  );
}

/** The envelope of a record that is not stored. */
const unstored = { store: "", rev: 0, writeId: "", changedAt: new Date(0) };

/**
 * Returns a digest of the data from which a label's picture is drawn: records, the designs that the rules will choose, and the
 * revs of its items' schedules and page images.
 */
function digestOf(loaded: readonly Loaded<LoadedFacts>[], revsOf: (item: string) => number[]): string {
  const parts = loaded.map(({ facts: { designerLink, shows }, sources, mark }) => [
    sources.map(inputOfSource),
    [mark, designerLink.design_id, ...revsOf(shows.item)],
  ]);
  return hash("sha256", JSON.stringify(parts), "base64url").slice(0, 16);
}
