import { unpackDebian, wrapperOf } from "../../prepare/debian.mjs";
import { firstThatWorks, run, which } from "../../prepare/programs.mjs";

/** Returns the path of Mosquitto: on PATH, unpacked from Debian's package, which does not require root, or from brew. */
export function obtainMosquitto(): string {
  const program = firstThatWorks([() => which("mosquitto"), unpacked, withBrew]);
  if (program !== undefined) return program;
  throw new Error(
    "mosquitto is missing: put it on PATH; it is an MQTT broker, available from package managers or from mosquitto.org",
  );
}

function unpacked(): string | undefined {
  const tree = unpackDebian("mosquitto", ["mosquitto"]);
  return tree && wrapperOf(tree, "usr/sbin/mosquitto");
}

function withBrew(): string | undefined {
  if (!which("brew")) return undefined;
  run("brew", ["install", "mosquitto"]);
  return which("mosquitto");
}
