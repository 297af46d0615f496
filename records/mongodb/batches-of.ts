import type { FindCursor } from "mongodb";

/** Reads a cursor's results in batches of at most `size`. Closes the cursor at the end, or when the reader stops earlier. */
export async function* batchesOf<Found>(cursor: FindCursor<Found>, size: number): AsyncGenerator<Found[]> {
  cursor.batchSize(size);
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments(size);
  } finally {
    await cursor.close();
  }
}
