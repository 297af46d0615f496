import { decodingBounds } from "../../../drawing/decoding/decoding-bounds.ts";

/**
 * Loaded into a process before its entry (`--import`): limits decoding to a moment, for files that cost only time. The limit
 * itself has tests of its own.
 */
decodingBounds.processorMs = 1_500;
