import { drawing } from "../messages/drawing/en.ts";

/** The messages with which the script of a page says what drawing reports, and the names of colours. */
export const drawingKeys = Object.keys(drawing) as (keyof typeof drawing)[];
