import { decodingBounds } from "../../../drawing/decoding/decoding-bounds.ts";

/**
 * Loaded into a process before its entry (`--import`): decoding a file that costs only time stops after a moment. The limit on
 * processor time has tests of its own.
 */
decodingBounds.processorMs = 1_500;
