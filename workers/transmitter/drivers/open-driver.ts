import type { Logger } from "pino";
import { type Driver, type LabelServer as Settings, secretsOf } from "../../../schemas/label-server.ts";
import { httpLabelServer } from "./http.ts";
import type { LabelServer, OnCall, OwnReports, Report } from "./label-server.ts";
import { openBroker } from "./mqtt/driver.ts";
import { openEpaperLink } from "./openepaperlink/driver.ts";

/** What a driver needs from the world. */
export interface DriverWorld {
  /** Maximum number of concurrent pictures per label server, unless the label server has its own limit. */
  concurrency: number;
  /** Milliseconds. */
  clock(): number;
  now(): Date;
  onCall: OnCall;
  /** For drivers whose label servers do not report to the API. */
  report: Report;
  /** For drivers that learn the label from a report. */
  served: OwnReports;
  log: Pick<Logger, "warn">;
}

type OpenDriver = (settings: Settings, world: DriverWorld) => LabelServer;

const openHttp: OpenDriver = (settings, { concurrency, clock, onCall }) =>
  httpLabelServer(settings.url, secretsOf(settings), concurrency, clock, onCall);

/** The function that opens each kind of label server. A new driver is a new entry. */
const openers = { http: openHttp, openepaperlink: openEpaperLink, mqtt: openBroker } satisfies Record<
  Driver,
  OpenDriver
>;

/** Opens a label server with the driver that its record names. */
export const openDriver: OpenDriver = (settings, world) => openers[settings.driver ?? "http"](settings, world);
