import type { FindCursor } from "mongodb";

/** What a cursor finds, in batches of at most `size`. The cursor is closed at its end, and where the reader stops earlier. */
export async function* batchesOf<Found>(cursor: FindCursor<Found>, size: number): AsyncGenerator<Found[]> {
  cursor.batchSize(size);
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments(size);
  } finally {
    await cursor.close();
  }
}
