import { readFile } from "node:fs/promises";
import { readCommandLine } from "../command-line.ts";
import { licenceOf } from "./allowed.ts";
import { type InstalledPackage, readPackages } from "./packages.ts";

/** A component as CycloneDX 1.6 describes it. */
interface Component {
  type: "library";
  "bom-ref": string;
  name: string;
  version: string;
  purl: string;
  licenses: readonly object[];
  hashes: readonly { alg: "SHA-512"; content: string }[];
}

/**
 * Returns the packages of an installation as a CycloneDX document. Only the lock file is read, because `npm sbom` rejects a
 * tree in which an optional peer has another version.
 */
export async function writeSbom(packages: readonly InstalledPackage[]): Promise<string> {
  const product = JSON.parse(await readFile(new URL("../../../package.json", import.meta.url), "utf8"));
  const component = {
    type: "application",
    "bom-ref": purlOf(product),
    name: product.name,
    version: product.version,
    licenses: [{ license: { id: product.license } }],
  };
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component },
    components: packages.map(componentOf),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function componentOf(one: InstalledPackage): Component {
  const purl = purlOf(one);
  const [, digest] = /^sha512-(.+)$/.exec(one.integrity) ?? [];
  return {
    type: "library",
    "bom-ref": purl,
    name: one.name,
    version: one.version,
    purl,
    licenses: licensesOf(licenceOf(one)),
    hashes: digest ? [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] : [],
  };
}

/** Returns a package's address by the purl specification, which encodes the `@` of a scope. */
const purlOf = ({ name, version }: { name: string; version: string }): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;

const licensesOf = (licence: string): object[] =>
  / (OR|AND) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];

if (import.meta.main) {
  readCommandLine("npm run sbom --", {
    arguments: [],
    means: "print the packages of an installation as a CycloneDX document",
    options: {},
  });
  process.stdout.write(await writeSbom(await readPackages()));
}
