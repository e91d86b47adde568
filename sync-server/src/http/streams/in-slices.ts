/** This many bytes take ten seconds at 50 kbit/s. */
const SLICE_BYTES = 64 * 1_024;

/** Splits long pieces, so that each can be taken in time over a slow connection. */
export async function* inSlices(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let from = 0; from < bytes.byteLength; from += SLICE_BYTES) yield bytes.subarray(from, from + SLICE_BYTES);
  }
}
