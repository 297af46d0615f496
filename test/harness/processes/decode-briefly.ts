import { decodingBounds } from "../../../drawing/decoding/decoding-bounds.ts";

/**
 * Loaded into a process before its entry (`--import`): a file that is costly in time alone is given up after a moment. The
 * limit of processor time has tests of its own.
 */
decodingBounds.processorMs = 1_500;
