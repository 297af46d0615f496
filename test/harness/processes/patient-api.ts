import { openApi } from "../../../api/process.ts";
import { apiSettings } from "../../../api/settings.ts";
import { openLog } from "../../../runtime/log.ts";
import { readSettings } from "../../../runtime/read-settings.ts";
import { closeOnSignal } from "../../../runtime/shutdown.ts";
import "./check-patiently.ts";
import { PATIENT_MS } from "../patience.ts";

/** The entry of an API process for tests in which nothing fails on purpose: a busy machine must not cause a 503. */
const settings = readSettings([...apiSettings]);
const log = openLog("web", settings.LOG_LEVEL);
const api = await openApi(settings, log, PATIENT_MS);
closeOnSignal(api.close, log);
