import test from "ava";
import { isAllowed } from "../../../../scripts/develop/licences/allowed.ts";
import { faultsOfNotices, licenceFaults, writeNotices } from "../../../../scripts/develop/licences/notices.ts";
import { readPackages } from "../../../../scripts/develop/licences/packages.ts";
import { writeSbom } from "../../../../scripts/develop/licences/sbom.ts";

test("every package of an installation has a licence on the list, and THIRD-PARTY-NOTICES is current", async (t) => {
  t.deepEqual(await faultsOfNotices(), []);
});

test("a package whose licence is not on the list is reported", (t) => {
  const one = {
    name: "patterns",
    version: "1.0.0",
    licence: "GPL-2.0-or-later",
    integrity: "",
    folder: "",
    isNative: false,
  };
  t.regex(licenceFaults([one])[0] ?? "", /^patterns@1\.0\.0 is under "GPL-2\.0-or-later"/);
  t.regex(licenceFaults([{ ...one, licence: undefined }])[0] ?? "", /"none"/);
});

for (const [licence, allowed] of [
  ["MIT", true],
  ["(MIT OR GPL-3.0)", true],
  ["(MIT AND GPL-3.0)", false],
  ["MIT AND OFL-1.1", true],
  ["LGPL-2.1+", false],
  ["none", false],
] as const)
  test(`the licence ${licence} is ${allowed ? "" : "not "}on the list`, (t) => t.is(isAllowed(licence), allowed));

test("the notices contain the fonts' licence, resvg's licence, and the authors of each package", async (t) => {
  const packages = await readPackages();
  const notices = await writeNotices(packages);
  t.regex(notices, /SIL OPEN FONT LICENSE Version 1\.1/i);
  t.regex(notices, /@resvg\/resvg-wasm@[\d.]+: MPL-2\.0/);
  t.regex(notices, /koa@[\d.]+\n {2}Copyright \(c\) /);
  for (const { name, version } of packages) t.true(notices.includes(`${name}@${version}: `), name);
});

test("the auditors' list contains each package with its address, licence and checksum, and the product", async (t) => {
  const packages = await readPackages();
  const { bomFormat, metadata, components } = JSON.parse(await writeSbom(packages));
  t.is(bomFormat, "CycloneDX");
  t.is(metadata.component.name, "shelfwire");
  t.is(components.length, packages.length);
  const canvas = components.find(({ name }: { name: string }) => name === "@napi-rs/canvas");
  t.regex(canvas.purl, /^pkg:npm\/%40napi-rs\/canvas@[\d.]+$/);
  t.deepEqual(canvas.licenses, [{ license: { id: "MIT" } }]);
  t.regex(canvas.hashes[0].content, /^[0-9a-f]{128}$/);
  const font = components.find(({ name }: { name: string }) => name === "@expo-google-fonts/noto-sans");
  t.deepEqual(font.licenses, [{ expression: "MIT AND OFL-1.1" }]);
});

test("packages that only developers install are not in the notices", async (t) => {
  const names = (await readPackages()).map(({ name }) => name);
  t.false(names.includes("ava"));
  t.true(names.includes("koa"));
});
