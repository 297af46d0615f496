import { pingBounds } from "../../../scripts/start/servers.ts";
import { PATIENT_MS } from "../patience.ts";

/**
 * Imported by a test that starts a stack, or loaded into the process of `npm start` before its entry (`--import`): on a busy
 * machine, databases at given addresses may respond late.
 */
pingBounds.ms = PATIENT_MS;
