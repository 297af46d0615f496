// Obtains a server for MongoDB's protocol, even without root.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { containerEngine } from "./containers.mjs";
import { aptInstall, unpackDebian, wrapperOf } from "./debian.mjs";
import { cacheFolder, fail, firstThatWorks, messageOf, root, run, say, which } from "./programs.mjs";

/** @typedef {{ kind: "stand-in", java: string, classPath: string, source: string }} StandIn */
/** @typedef {{ java: string, maven: string }} JavaTools */

const standIn = join(root, "scripts", "mongo-stand-in");
const jars = join(standIn, "target", "dependency");
const MONGOD_VERSION = "7.0.24";
const IMAGE = "mongo:7";
const RETRY_DOWNLOAD_AFTER_MS = 7 * 86_400_000;
const OLDEST_JAVA = 17;

/**
 * Returns the program that speaks MongoDB's protocol: a mongod on PATH, a mongod that mongodb-memory-server downloads, a mongod
 * in a container (`program` is then the container engine), or the stand-in. A failed download is remembered in the data folder.
 * @returns {Promise<{ kind: "mongod", program: string, image?: string } | StandIn>}
 */
export async function ensureMongoServer(/** @type {string} */ dataFolder) {
  const present = which("mongod");
  if (present) return { kind: "mongod", program: present };
  const downloaded = await downloadMongod(dataFolder);
  if (downloaded) return { kind: "mongod", program: downloaded };
  const engine = containerEngine();
  return engine ? { kind: "mongod", program: engine, image: IMAGE } : ensureStandIn();
}

async function downloadMongod(/** @type {string} */ dataFolder) {
  const refusal = join(dataFolder, "mongod-download-refused");
  if (existsSync(refusal) && Date.now() - Number(readFileSync(refusal, "utf8")) < RETRY_DOWNLOAD_AFTER_MS)
    return undefined;
  const { MongoBinary } = await import("mongodb-memory-server-core");
  say("obtaining mongod ...");
  try {
    return await MongoBinary.getPath({ version: MONGOD_VERSION });
  } catch (error) {
    say(`mongod cannot be downloaded (${messageOf(error).split("\n").at(-1)})`);
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(refusal, String(Date.now()));
    return undefined;
  }
}

/** @returns {StandIn} */
function ensureStandIn() {
  const { java, maven } =
    firstThatWorks([
      onPath,
      () => (aptInstall(["openjdk-17-jdk-headless", "maven"]) ? onPath() : undefined),
      unpacked,
      withBrew,
    ]) ??
    fail("No MongoDB: set MONGODB_URL, or put mongod on PATH, or install a JDK >= 17 and Maven for the stand-in.");
  if (!existsSync(jars)) {
    say("downloading the MongoDB stand-in with Maven ...");
    run(maven, ["-q", "-B", "-f", join(standIn, "pom.xml"), "dependency:copy-dependencies"]);
  }
  return { kind: "stand-in", java, classPath: join(jars, "*"), source: join(standIn, "MongoStandIn.java") };
}

/**
 * Returns Java and Maven, if this Java can run the stand-in. Maven is only needed until the stand-in's libraries are
 * installed.
 */
function usable(/** @type {string | undefined} */ java, /** @type {string | undefined} */ maven) {
  if (java === undefined || (maven === undefined && !existsSync(jars))) return undefined;
  const version = Number(/version "(\d+)/.exec(spawnSync(java, ["-version"], { encoding: "utf8" }).stderr)?.[1]);
  if (version >= OLDEST_JAVA) return { java, maven: maven ?? "mvn" };
  say(`${java} has version ${version || "unknown"}, but ${OLDEST_JAVA} or later is required`);
  return undefined;
}

const onPath = () => usable(which("java"), which("mvn"));

function unpacked() {
  const packages = ["openjdk-17-jdk-headless", "openjdk-17-jre-headless"];
  const needsMaven = !existsSync(jars) && !which("mvn");
  const tree = unpackDebian(needsMaven ? "java-maven" : "java", [...packages, ...(needsMaven ? ["maven"] : [])]);
  if (tree === undefined) return undefined;
  const machines = join(tree, "usr", "lib", "jvm");
  const [home = ""] = readdirSync(machines).filter((name) => existsSync(join(machines, name, "bin", "java")));
  const java = wrapperOf(tree, join("usr", "lib", "jvm", home, "bin", "java"));
  const options = [`-Dmaven.repo.local=${join(cacheFolder(), "maven")}`, ...makeTrustStore(java, tree)].join(" ");
  const variables = { JAVACMD: java, JAVA_HOME: join(machines, home), MAVEN_OPTS: options };
  return usable(java, needsMaven ? wrapperOf(tree, "usr/share/maven/bin/mvn", variables) : which("mvn"));
}

/**
 * Returns the machine's certificates as options, for a Java that no package has configured; none if the machine has no list
 * of them.
 */
function makeTrustStore(/** @type {string} */ java, /** @type {string} */ tree) {
  const certificates = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"].find((file) =>
    existsSync(file),
  );
  if (certificates === undefined) return [];
  const store = join(tree, "trust-store.p12");
  if (!existsSync(store)) run(java, [join(standIn, "TrustStore.java"), certificates, store]);
  return [`-Djavax.net.ssl.trustStore=${store}`, "-Djavax.net.ssl.trustStorePassword=changeit"];
}

function withBrew() {
  if (!which("brew")) return undefined;
  say("installing openjdk and maven with brew ...");
  run("brew", ["install", "openjdk", "maven"]);
  return onPath() ?? usable("/opt/homebrew/opt/openjdk/bin/java", which("mvn"));
}
