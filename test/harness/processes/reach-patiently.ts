import { reachBounds } from "../../../queues/reach-databases.ts";
import { PATIENT_MS } from "../patience.ts";

/** Loaded into a command's process before its entry (`--import`): on a busy machine, its databases may respond late. */
reachBounds.ms = PATIENT_MS;
