import { generate } from 'selfsigned';

/** A certificate authority of the test's own. */
export interface Authority {
  /** PEM, for `PAYDESK_NOTIFY_CA_FILE` or a client's `ca`. */
  cert: string;
  /** A server certificate for these names and addresses, as `tls` and `https` take it. */
  issue(options?: IssueOptions): Promise<{ cert: string; key: string }>;
}

export interface IssueOptions {
  names?: string[];
  addresses?: string[];
  /** Default: a year from now. */
  expires?: Date;
}

/** Makes an authority for receivers on the loopback address. */
export async function testAuthority(name = 'Paydesk test authority'): Promise<Authority> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    cert,
    async issue({ names = ['localhost'], addresses = ['127.0.0.1', '::1'], expires } = {}) {
      const altNames = [
        ...names.map((value) => ({ type: 2 as const, value })),
        ...addresses.map((ip) => ({ type: 7 as const, ip })),
      ];
      const issued = await generate([{ name: 'commonName', value: names[0] ?? addresses[0] ?? 'receiver' }], {
        keyType: 'ec',
        algorithm: 'sha256',
        ca: { cert, key },
        ...(expires === undefined
          ? {}
          : { notBeforeDate: new Date(expires.getTime() - 86_400_000), notAfterDate: expires }),
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'keyUsage', digitalSignature: true, critical: true },
          { name: 'extKeyUsage', serverAuth: true },
          { name: 'subjectAltName', altNames },
        ],
      });
      return { cert: issued.cert, key: issued.private };
    },
  };
}
