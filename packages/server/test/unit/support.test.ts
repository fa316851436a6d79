import { once } from 'node:events';
import { createServer, get } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { testAuthority } from '../support/servers/tls.ts';

describe('the test authority', () => {
  async function fetchFrom(issued: { cert: string; key: string }, ca: string, host: string): Promise<number> {
    const server = createServer(issued, (_request, response) => response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const request = get({ host: '127.0.0.1', servername: host, port, ca, agent: false });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode ?? 0;
    } finally {
      server.close();
    }
  }

  test('issues certificates that clients who trust it accept', async () => {
    const authority = await testAuthority();
    expect(await fetchFrom(await authority.issue(), authority.cert, 'localhost')).toBe(200);
  });

  test('the certificate is trusted only for its name and time', async () => {
    const [authority, other] = await Promise.all([testAuthority(), testAuthority('another')]);
    const good = await authority.issue();
    const expired = await authority.issue({ expires: new Date('2024-01-01T00:00:00Z') });
    await expect(fetchFrom(good, other.cert, 'localhost')).rejects.toThrow();
    await expect(fetchFrom(good, authority.cert, 'elsewhere.example')).rejects.toThrow(/altnames/i);
    await expect(fetchFrom(expired, authority.cert, 'localhost')).rejects.toThrow(/expired/);
  });
});
