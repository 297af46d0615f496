import test from "ava";
import { isAllowed } from "../../../../scripts/develop/licences/allowed.ts";
import { faultsOfNotices, licenceFaults, writeNotices } from "../../../../scripts/develop/licences/notices.ts";
import { readPackages } from "../../../../scripts/develop/licences/packages.ts";

test("every package of an installation has a licence on the list, and THIRD-PARTY-NOTICES is current", async (t) => {
  t.deepEqual(await faultsOfNotices(), []);
});

test("a package under a licence that is not on the list is named", (t) => {
  const one = { name: "patterns", version: "1.0.0", licence: "GPL-2.0-or-later", folder: "", isNative: false };
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

test("the notices have the fonts' licence, resvg's, and the authors of each package", async (t) => {
  const packages = await readPackages();
  const notices = await writeNotices(packages);
  t.regex(notices, /SIL OPEN FONT LICENSE Version 1\.1/i);
  t.regex(notices, /@resvg\/resvg-wasm@[\d.]+: MPL-2\.0/);
  t.regex(notices, /koa@[\d.]+\n {2}Copyright \(c\) /);
  for (const { name, version } of packages) t.true(notices.includes(`${name}@${version}: `), name);
});

test("what only developers install is not in the notices", async (t) => {
  const names = (await readPackages()).map(({ name }) => name);
  t.false(names.includes("ava"));
  t.true(names.includes("koa"));
});
