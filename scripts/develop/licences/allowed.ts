/** Licences under which a package may be part of an installation. They let a chain run Shelfwire and pass it on unchanged. */
const ALLOWED: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "Unlicense",
  "Zlib",
]);

/** Licences that packages do not declare in machine-readable form, as their files state them. */
const readByHand: Readonly<Record<string, string>> = {
  // README.md and LICENSE: Bitstream Vera's licence, and public domain for DejaVu's changes.
  "dejavu-fonts-ttf": "Bitstream-Vera",
  // LICENSE.md: the MIT text.
  "exif-parser": "MIT",
  // LICENSE: the MIT text.
  "png-js": "MIT",
};

/** Returns the licence of a package as its notice names it. */
export const licenceOf = ({ name, licence }: { name: string; licence: string | undefined }): string =>
  readByHand[name] ?? licence ?? "none";

/** Whether a licence is on the list. If several apply together, all must be. If there is a choice, one is enough. */
export function isAllowed(licence: string): boolean {
  if (Object.values(readByHand).includes(licence)) return true;
  const inner = licence.replace(/^\((.*)\)$/, "$1");
  if (inner.includes(" OR ")) return inner.split(" OR ").some(isAllowed);
  return inner.split(" AND ").every((one) => ALLOWED.has(one));
}
