import { checkBounds } from "../../../api/images/checked-in-thread.ts";
import { publicationLimits } from "../../../api/management/publishing/count-publication.ts";
import { previewDecodingBounds } from "../../../drawing/decoding/decoding-bounds.ts";
import { PATIENT_MS } from "../patience.ts";

/**
 * Imported in threads and processes that run an API, without other files' tests: on a busy machine, a check of a file may take
 * as long as a whole call, and a count of what a publication would change must not end early.
 */
checkBounds.timeoutMs = PATIENT_MS;
previewDecodingBounds.timeoutMs = PATIENT_MS;
publicationLimits.evaluatedMs = PATIENT_MS;
publicationLimits.drawnMs = PATIENT_MS;
