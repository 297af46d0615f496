import { drawing } from "../messages/drawing/en.ts";

/** Keys of the messages with which a page's script shows notices about drawing, and of the names of colours. */
export const drawingKeys = Object.keys(drawing) as (keyof typeof drawing)[];
