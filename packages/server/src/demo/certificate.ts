/** The certificates of receivers that run on the developer's own machine. */

/** A self-signed certificate and its key, in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** Creates a certificate for a server on the loopback address. */
export async function createLoopbackCertificate(name: string): Promise<Certificate> {
  // Two hundred files, for what is done once on a machine.
  const { generate } = await import('selfsigned');
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    notAfterDate: new Date('2046-01-01T00:00:00Z'),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  return { cert: made.cert, key: made.private };
}
