import type { FindCursor } from "mongodb";

/**
 * The results of a cursor, in batches of at most `size`. The cursor is closed at its end, or when the reader stops
 * earlier.
 */
export async function* batchesOf<Found>(cursor: FindCursor<Found>, size: number): AsyncGenerator<Found[]> {
  cursor.batchSize(size);
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments(size);
  } finally {
    await cursor.close();
  }
}
