import { openLog } from "../../runtime/log.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { closeOnSignal } from "../../runtime/shutdown.ts";
import { readCommandLine } from "../develop/command-line.ts";
import { usualBehaviour } from "./access-point.ts";
import { serveAccessPoint } from "./serve.ts";

const PORT = 8090;
const FIRST_MAC = 0x0000_0218_d6c5_3b19n;
const MAC_DIGITS = 16;

const { options } = readCommandLine("npm run access-point --", {
  arguments: [],
  means: "run an emulated OpenEPaperLink access point with its tags",
  options: {
    port: { takes: "PORT", initial: String(PORT), means: "port that it listens on" },
    tags: { takes: "COUNT", initial: "10", means: "number of tags; their addresses count from 00000218D6C53B19" },
    type: { takes: "TYPE", initial: "01", means: "hardware type of the tags: 01, 07, 21, 33, 34 or 4C" },
    seed: { takes: "SEED", initial: "1", means: "seed for random events" },
    "second-ms": { takes: "MS", initial: "1000", means: "length of an emulated second in milliseconds" },
    sleep: { takes: "SECONDS", initial: "40", means: "how long tags sleep" },
    loss: { takes: "SHARE", initial: "0", means: "share of transfers to tags that fail, from 0 to 1" },
  },
});

const log = openLog("access-point", readSettings(["LOG_LEVEL"]).LOG_LEVEL);
const behaviour = {
  ...usualBehaviour,
  ...{ seed: Number(options.seed), secondMs: Number(options["second-ms"]) },
  ...{ sleep: Number(options.sleep), loss: Number(options.loss) },
};
const accessPoint = await serveAccessPoint(behaviour, Number(options.port));
for (let index = 0; index < Number(options.tags); index += 1) {
  const mac = (FIRST_MAC + BigInt(index)).toString(16).toUpperCase().padStart(MAC_DIGITS, "0");
  accessPoint.add(mac, Number.parseInt(options.type, 16));
}
log.info({ url: accessPoint.url, tags: accessPoint.tags.size }, "the access point is up");
closeOnSignal(accessPoint.close, log);
