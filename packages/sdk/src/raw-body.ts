/**
 * Reads a request body to its end as the bytes that arrived, for `verifyNotification`. Rejects with
 * `RangeError` beyond `max_bytes` (default 65 536; notifications are far smaller), so that nobody can fill the
 * memory of a receiver before the signature is checked.
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
