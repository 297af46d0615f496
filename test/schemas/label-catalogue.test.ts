import test from "ava";
import {
  CatalogueEntry,
  catalogueEntry,
  catalogueEntryOf,
  labelCatalogue,
  nearestNames,
  searchCatalogue,
} from "../../schemas/label-catalogue.ts";
import { dpiOf } from "../../schemas/panels.ts";
import { compileCheck } from "../../schemas/validate.ts";
import { labelTypes } from "../../scripts/demo/catalogue.ts";

/**
 * Panels with the same size in pixels may differ by this fraction in pixels per inch, since names round the diagonal.
 */
const TOLERANCE = 0.03;

test("every entry of the catalogue is a valid label type", (t) => {
  t.deepEqual(labelCatalogue.flatMap(compileCheck(CatalogueEntry)), []);
});

test("names, hardware types and numbers of label types are unique", (t) => {
  for (const { name, type, labelType } of labelCatalogue) {
    t.is(catalogueEntry(name)?.type, type, name);
    t.is(catalogueEntryOf(labelType.hardwareType ?? "")?.name, name);
  }
  t.is(new Set(labelCatalogue.map(({ type }) => type)).size, labelCatalogue.length);
});

test("a label type's number is 100,000 above its hardware type, so no barcode with a four-digit type contains it", (t) => {
  t.is(catalogueEntryOf("33")?.type, 100_000 + 0x33);
  t.true(labelCatalogue.every(({ type }) => type > 9_999));
  t.false(labelCatalogue.some(({ type }) => labelTypes.some((demo) => demo.type === type)));
});

test("the first colour is white, which is the background of a blank label", (t) => {
  t.deepEqual([...new Set(labelCatalogue.map(({ labelType }) => labelType.colors[0]))], ["white"]);
});

for (const { name, labelType } of labelCatalogue) {
  const { width, height, dpi } = labelType;
  const diagonal = Number(/([\d.]+)"/.exec(name)?.[1] ?? Number.NaN);
  if (Number.isNaN(diagonal))
    test(`${name}: no diagonal is known, so no dpi is stated`, (t) => {
      t.is(dpi, undefined);
    });
  else
    test(`${name}: dpi is the usual panel's if the diagonal agrees, and is computed otherwise`, (t) => {
      const computed = Math.hypot(width, height) / diagonal;
      const usual = dpiOf({ width, height });
      const agrees = Math.abs(computed - usual) / usual <= TOLERANCE;
      t.is(dpi, dpi === usual && agrees ? usual : Math.round(computed));
    });
}

test("labels of 2.9 inches and 296 x 128 pixels have 112 dpi, like the demo's", (t) => {
  const dpis = labelCatalogue
    .filter(({ name, labelType }) => name.includes('2.9"') && labelType.width === 296)
    .map(({ labelType }) => labelType.dpi);
  t.true(dpis.length > 5);
  t.deepEqual([...new Set(dpis)], [dpiOf({ width: 296, height: 128 })]);
});

test("a name is found without its inch marks, in any case, and with a decimal comma", (t) => {
  t.is(catalogueEntry("m3 2.9 bwry")?.labelType.hardwareType, "2B");
  t.is(catalogueEntry(" HS  BWRY 7,5″")?.labelType.hardwareType, "6B");
  t.is(catalogueEntry("M3 2.8 BWRY"), undefined);
});

test("a search finds the names that contain every word, and an empty search finds all", (t) => {
  const names = searchCatalogue("gicisky 2.9").map(({ name }) => name);
  t.deepEqual(names, ['Gicisky BLE EPD BW 2.9"', 'Gicisky BLE EPD BWR 2.9"', 'Gicisky BLE EPD BWRY 2.9"']);
  t.is(searchCatalogue("").length, labelCatalogue.length);
});

test("the names nearest to an unknown one come first", (t) => {
  t.is(nearestNames("M3 2.9 BWYR", 3)[0], 'M3 2.9" BWRY');
  t.is(nearestNames("M3 2.9 BWYR", 3).length, 3);
});
