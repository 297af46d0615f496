import { type ChildProcess, spawn } from "node:child_process";
import { pbkdf2Sync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { obtainMosquitto } from "../../../scripts/develop/broker/obtain-mosquitto.ts";
import { guard } from "../../../scripts/start/guard.ts";
import { isFree, onFreePort, PortTakenError } from "../../../scripts/start/ports.ts";

interface BrokerOptions {
  /** Passwords by user. */
  users: Readonly<Record<string, string>>;
  /** Lines of Mosquitto's access control file; without them, every user may do everything. */
  rights?: readonly string[];
  /** Paths of the certificate and its key; without them, connections are not encrypted. */
  tls?: { certificate: string; key: string };
}

/** A running Mosquitto. It stores nothing on disk, so a restart loses every message. */
export interface Broker {
  readonly url: string;
  /** Kills the broker without warning. */
  kill(): Promise<void>;
  /** Starts the broker again on its port. */
  start(): Promise<void>;
  /** Changes the passwords for later connections. */
  setUsers(users: BrokerOptions["users"]): void;
  close(): Promise<void>;
}

const ITERATIONS = 101;
const SALT_BYTES = 12;
const HASH_BYTES = 64;

/** Starts a broker on a free port. */
export async function openMosquitto(options: BrokerOptions): Promise<Broker> {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-mosquitto-"));
  const file = (name: string) => join(folder, name);
  const setUsers = (users: BrokerOptions["users"]) =>
    writeFileSync(file("passwords"), Object.entries(users).map(passwordLine).join(""));
  setUsers(options.users);
  if (options.rights) writeFileSync(file("rights"), `${options.rights.join("\n")}\n`);
  let child: ChildProcess;
  const startOn = async (port: number) => {
    writeFileSync(file("mosquitto.conf"), `${configuration(port, file, options).join("\n")}\n`);
    child = await run(file("mosquitto.conf"), port);
    return port;
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  const port = await onFreePort(startOn);
  return {
    url: `${options.tls ? "mqtts" : "mqtt"}://127.0.0.1:${port}`,
    kill,
    start: async () => void (await startOn(port)),
    setUsers(users) {
      setUsers(users);
      child.kill("SIGHUP");
    },
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const configuration = (port: number, file: (name: string) => string, { rights, tls }: BrokerOptions): string[] => [
  `listener ${port} 127.0.0.1`,
  // As root, Mosquitto would run as a user who cannot read these files.
  "user root",
  ...["allow_anonymous false", `password_file ${file("passwords")}`, "persistence false"],
  ...["log_dest stderr", "log_type information", "log_type error"],
  ...(rights ? [`acl_file ${file("rights")}`] : []),
  ...(tls ? [`certfile ${tls.certificate}`, `keyfile ${tls.key}`] : []),
];

/** Runs Mosquitto until its log says that it is listening. */
async function run(path: string, port: number): Promise<ChildProcess> {
  const child = spawn(obtainMosquitto(), ["-c", path], { stdio: ["ignore", "ignore", "pipe"], detached: true });
  guard(child);
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (!/mosquitto version .* running/.test(line)) continue;
    child.stderr.resume();
    return child;
  }
  if (!(await isFree(port))) throw new PortTakenError(`Mosquitto cannot listen: port ${port} is taken`);
  throw new Error(`Mosquitto exited: ${said.join("; ")}`);
}

/** Returns a line of Mosquitto's password file (PBKDF2 with SHA-512). */
function passwordLine([user, password]: [string, string]): string {
  const salt = randomBytes(SALT_BYTES);
  const hash = pbkdf2Sync(password, salt, ITERATIONS, HASH_BYTES, "sha512");
  return `${user}:$7$${ITERATIONS}$${salt.toString("base64")}$${hash.toString("base64")}\n`;
}
