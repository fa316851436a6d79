/** Chooses how an answer is compressed for its caller (D-255). */

/** What our answers can be compressed with. */
export type Encoding = 'br' | 'gzip';

/**
 * The accepted encoding with the highest weight (RFC 9110 section 12.5.3); Brotli if several have it, null if none is
 * accepted.
 *
 * @param header `Accept-Encoding`
 */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  const weights = new Map(
    (header ?? '')
      .toString()
      .toLowerCase()
      .split(',')
      .map((item): [string, number] => {
        const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
        const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
        return [name, weight === undefined ? 1 : Number(weight) || 0];
      }),
  );
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const [br, gzip] = [weightOf('br'), Math.max(weightOf('gzip'), weights.get('x-gzip') ?? 0)];
  if (Math.max(br, gzip) <= 0) return null;
  return br >= gzip ? 'br' : 'gzip';
}
