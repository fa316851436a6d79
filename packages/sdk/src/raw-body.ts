/**
 * Reads the raw bytes of a request body for `verifyNotification`. Rejects with `RangeError` beyond
 * `max_bytes` (default 65 536; notifications are much smaller), so that an unsigned request cannot fill the
 * memory.
 */
export async function readRawBody(body: AsyncIterable<Uint8Array>, max_bytes = 65_536): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > max_bytes) throw new RangeError(`the body exceeds ${max_bytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
