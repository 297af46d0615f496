// Ends a program on an older Node before Node fails on TypeScript. Plain CommonJS, which every Node reads.
const { engines } = require("../package.json");

const least = Number(engines.node.replace(/\D+/g, ""));
if (Number(process.versions.node.split(".")[0]) < least) {
  process.stderr.write(
    `Shelfwire needs Node ${least} or later; this is Node ${process.versions.node} (${process.execPath}). ` +
      `Install it from https://nodejs.org/en/download, with "nvm install ${least}", or with the packages of your system.\n`,
  );
  process.exit(1);
}
