import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { bodyLimits, readBody } from './body.ts';

/** What the nginx of the guide passes, in bytes. */
const guide = readFileSync(new URL('../../../../docs/operating/proxies.md', import.meta.url), 'utf8');
const passed = Number(/client_max_body_size (\d+)m;/.exec(guide)?.[1]) * 1_048_576;

test.each([
  ['too large', 'application/json', 'request_too_large'],
  ['of a wrong type', 'text/plain', 'unsupported_media_type'],
])(
  'D-1440 the largest body that a proxy passes, if it is %s, is read to its end before it is refused',
  async (_, content_type, code) => {
    const parts = Array.from({ length: passed / 65_536 }, () => Buffer.alloc(65_536));
    const headers = { 'content-type': content_type, 'content-length': String(passed) };
    const raw = Object.assign(Readable.from(parts), { headers });
    const request = { raw, headers, method: 'POST', routeOptions: { config: {} } };
    await expect(readBody(request as unknown as FastifyRequest, bodyLimits)).rejects.toMatchObject({ code });
    expect(raw.readableEnded).toBe(true);
  },
);
