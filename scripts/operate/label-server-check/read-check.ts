import { spawn } from "node:child_process";
import { once } from "node:events";
import { countOf, type Options, Refusal, type Values } from "../admin/command.ts";
import type { Size } from "./pictures.ts";
import type { CheckSettings, Rig } from "./trial.ts";

const SECOND_MS = 1000;
const LAST_PORT = 65_535;
const STORE = /^t\/[A-Za-z0-9_-]{1,64}\/s\/[A-Za-z0-9_-]{1,64}$/;
const RETRY_MS = 1000;
/** The time that the protocol allows for a response (docs/label-servers/README.md). */
const LIMITS = { pageMs: 15_000, orderMs: 6_000 };

/** The options of `npm run label-server-check`. */
export const checkOptions = {
  secret: { takes: "SECRET", means: "the secret shared with the label server (required)" },
  listen: { takes: "PORT", initial: "8085", means: "port at which reports are accepted" },
  barcode: { takes: "BARCODE", isRepeated: true, means: "a label to send to; several try many labels at once" },
  store: { takes: "STORE", initial: "t/check/s/main", means: "the store of the labels" },
  size: { takes: "WxH", initial: "296x128", means: "size of the pictures" },
  "large-size": { takes: "WxH", initial: "800x480", means: "size of the large picture" },
  pages: { takes: "NUMBER", initial: "2", means: "pages of a label" },
  "segment-barcode": { takes: "BARCODE", means: "a segment label" },
  "unknown-barcode": { takes: "BARCODE", means: "a barcode that the label server does not know" },
  "other-store": { takes: "STORE", means: "a second store, to which the first label moves" },
  rig: { takes: "URL", means: "address of a test rig that shows the labels' behaviour, such as {emulator}/emulator" },
  restart: { takes: "COMMAND", means: "command that restarts the label server so that it remembers its numbers" },
  "restart-forgetting": { takes: "COMMAND", means: "command that restarts the label server so that it forgets them" },
  patience: { takes: "SECONDS", initial: "60", means: "how long to wait for a report" },
  settle: { takes: "SECONDS", initial: "2", means: "how long to wait for something that must not happen" },
  away: {
    takes: "SECONDS",
    initial: "5",
    means: "how long Shelfwire stays unreachable after the first attempt to report",
  },
  clock: { takes: "SECONDS", initial: "2", means: "tolerated difference between the clocks" },
  "switch-lead": { takes: "SECONDS", initial: "5", means: "how long in advance a switch is ordered" },
  json: { means: "print one JSON object" },
} as const satisfies Options;

/** Returns the port and the settings of a command line. Throws a Refusal if a value is not usable. */
export function readCheck(
  url: string,
  options: Values<typeof checkOptions>,
): { port: number; settings: CheckSettings } {
  const { secret, barcode: barcodes, rig, restart, "restart-forgetting": forgetting } = options;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) throw new Refusal(`URL must be an http address, not "${url}"`);
  if (!secret) throw new Refusal("--secret is required: the secret shared with the label server");
  const [first = "CHECK-1", ...others] = barcodes;
  const port = countOf("--listen", options.listen);
  if (port > LAST_PORT) throw new Refusal(`--listen must be a port from 1 to ${LAST_PORT}, not "${options.listen}"`);
  const milliseconds = (name: "patience" | "settle" | "away" | "clock" | "switch-lead") =>
    countOf(`--${name}`, options[name]) * SECOND_MS;
  return {
    port,
    settings: {
      url,
      secret,
      store: storeOf("--store", options.store),
      barcodes: [first, ...others],
      size: sizeOf("--size", options.size),
      largeSize: sizeOf("--large-size", options["large-size"]),
      pages: countOf("--pages", options.pages),
      segmentBarcode: options["segment-barcode"],
      unknownBarcode: options["unknown-barcode"],
      otherStore: options["other-store"] && storeOf("--other-store", options["other-store"]),
      rig: rig === undefined ? undefined : openRig(rig),
      restart: { remembering: restartBy(restart), forgetting: restartBy(forgetting) },
      limits: LIMITS,
      patienceMs: milliseconds("patience"),
      retryMs: RETRY_MS,
      settleMs: milliseconds("settle"),
      awayMs: milliseconds("away"),
      clockMs: milliseconds("clock"),
      switchMs: milliseconds("switch-lead"),
    },
  };
}

function storeOf(option: string, value: string): string {
  if (!STORE.test(value)) throw new Refusal(`${option} must have the form t/demo/s/main, not "${value}"`);
  return value;
}

function sizeOf(option: string, value: string): Size {
  const [, width = "", height = ""] = /^(\d{1,4})x(\d{1,4})$/.exec(value) ?? [];
  if (!(Number(width) > 0 && Number(height) > 0))
    throw new Refusal(`${option} must have the form 296x128, not "${value}"`);
  return { width: Number(width), height: Number(height) };
}

/**
 * Calls again if the call fails, because a restarted rig has closed the open connection. Repeating a setting has no further
 * effect.
 */
const persistently = (address: string, call?: RequestInit): Promise<Response> =>
  fetch(address, call).catch(() => fetch(address, call));

/** Opens a test rig over HTTP, such as the emulator. */
export function openRig(address: string): Rig {
  const url = (barcode: string) => `${address.replace(/\/$/, "")}/labels/${encodeURIComponent(barcode)}`;
  const post = (barcode: string, body: object, rest = "") =>
    persistently(`${url(barcode)}${rest}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    async look(barcode) {
      const answer = await persistently(url(barcode));
      return answer.ok ? ((await answer.json()) as Awaited<ReturnType<Rig["look"]>>) : {};
    },
    async failNext(barcode) {
      const answer = await post(barcode, { failNext: 1 });
      if (!answer.ok) throw new Error(`the test rig answered ${answer.status} for ${barcode}`);
    },
    press: async (barcode, button) => (await post(barcode, { button }, "/press")).ok,
    setTemperature: async (barcode, temperature) => (await post(barcode, { temperature })).ok,
  };
}

const restartBy = (command: string | undefined) =>
  command === undefined
    ? undefined
    : async () => {
        const child = spawn(command, { shell: true, stdio: ["ignore", "ignore", "inherit"] });
        const [code] = await once(child, "exit");
        if (code !== 0) throw new Error(`"${command}" ended with ${code}`);
      };
