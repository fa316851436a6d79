import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import vectors from '../../vectors/notification-signatures.json' with { type: 'json' };
import type { Notification } from '../types.ts';
import { signNotification } from '../verify-notification.ts';
import { notificationHandler as forExpress } from './express.ts';
import { notificationHandler as fastifyHandler, paydeskNotifications } from './fastify.ts';
import { notificationHandler as forHono } from './hono.ts';
import { notificationApiRoute, notificationHandler as forNext } from './next.ts';
import type { NotificationOptions } from './receive.ts';

const secret = 'a-secret-of-at-least-32-bytes-here';
// Spaces that a parser would not keep: only the raw bytes fit the signature.
const body = JSON.stringify(JSON.parse(vectors.vectors[0]?.body ?? '{}'), null, 2);
const id = (JSON.parse(body) as Notification).id;
const now = new Date('2026-03-02T09:32:10Z');
const timestamp = String(now.getTime() / 1000);
const headers = {
  'content-type': 'application/json',
  'x-service-event-id': id,
  'x-service-timestamp': timestamp,
  'x-service-signature': signNotification(secret, timestamp, body),
};

let stored: string[];
let refused: string[];
let failure: Error | undefined;
let options: NotificationOptions;
let closing: (() => Promise<unknown>)[];

beforeEach(() => {
  [stored, refused, failure, closing] = [[], [], undefined, []];
  options = {
    secrets: [secret],
    now: () => now,
    handle: (notification) => {
      if (failure !== undefined) throw failure;
      stored.push(notification.id);
    },
    onRefusal: ({ reason }) => refused.push(reason),
  };
});
afterEach(() => Promise.all(closing.map((close) => close())));

interface Got {
  status: number;
  text: string;
}
type Post = (sent: string) => Promise<Got>;

/** Posts to a server of Node.js. */
async function serve(handler: Parameters<typeof createServer>[1]): Promise<Post> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return (sent) =>
    new Promise((resolve, reject) => {
      const asked = send({ port, path: '/paydesk', method: 'POST', headers }, (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, text });
        });
      });
      asked.on('error', reject).end(sent);
    });
}

const viaFetch =
  (handle: (request: Request) => Response | Promise<Response>): Post =>
  async (sent) => {
    const answer = await handle(new Request('http://shop/paydesk', { method: 'POST', headers, body: sent }));
    return { status: answer.status, text: await answer.text() };
  };

/** An Express application whose errors show their message. */
function expressWith(prepare: (app: ReturnType<typeof express>) => void): ReturnType<typeof express> {
  const app = express();
  prepare(app);
  app.post('/paydesk', forExpress(options));
  app.use(
    (error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
      response.status(500).send(error.message);
    },
  );
  return app;
}

async function fastifyWith(prepare: (app: FastifyInstance) => unknown): Promise<Post> {
  const app = fastify();
  await prepare(app);
  closing.push(() => app.close());
  return async (payload) => {
    const answer = await app.inject({ method: 'POST', url: '/paydesk', headers, payload });
    return { status: answer.statusCode, text: answer.body };
  };
}

const frameworks: [string, () => Promise<Post>][] = [
  ['Express', () => serve(expressWith(() => undefined))],
  ['Express with express.raw', () => serve(expressWith((app) => app.use(express.raw({ type: '*/*' }))))],
  [
    'Express with a parser that keeps rawBody',
    () =>
      serve(
        expressWith((app) =>
          app.use(
            express.json({
              verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }),
            }),
          ),
        ),
      ),
  ],
  [
    'Fastify',
    () => fastifyWith((app) => app.register(paydeskNotifications, { ...options, path: '/paydesk' })),
  ],
  ['Hono', () => Promise.resolve(viaFetch((request) => hono().fetch(request)))],
  [
    'Hono after a middleware that read the text',
    () => Promise.resolve(viaFetch((request) => hono((req) => req.text()).fetch(request))),
  ],
  [
    'Next.js',
    () => {
      const handle = forNext(options);
      // Next.js answers 500 for a route that rejects.
      return Promise.resolve(
        viaFetch((request) => handle(request).catch(() => new Response('', { status: 500 }))),
      );
    },
  ],
  [
    'Next.js with the Pages Router',
    () =>
      serve((request, response) => {
        notificationApiRoute(options)(request, response).catch((error: unknown) => {
          response.statusCode = 500;
          response.end(String(error));
        });
      }),
  ],
];

function hono(read?: (req: { text: () => Promise<string>; json: () => Promise<unknown> }) => unknown): Hono {
  const app = new Hono();
  app.use(async ({ req }, next) => {
    await read?.(req);
    await next();
  });
  app.post('/paydesk', forHono(options));
  app.onError((error, context) => context.text(error.message, 500));
  return app;
}

describe.each(frameworks)('R-270 notifications in %s', (_name, start) => {
  test('a notification is handed over, a forged one refused, and an error asks for another delivery', async () => {
    const post = await start();
    expect(await post(body)).toEqual({ status: 204, text: '' });
    const forged = await post(body.replace('pending', 'expired'));
    expect([forged.status, JSON.parse(forged.text)]).toEqual([400, { error: 'bad_signature' }]);
    failure = new Error('disk full');
    expect((await post(body)).status).toBe(500);
    expect([stored, refused]).toEqual([[id], ['bad_signature']]);
  });
});

test.each<[string, RegExp, () => Promise<Post>]>([
  ['Express', /before express\.json/, () => serve(expressWith((app) => app.use(express.json())))],
  [
    'Fastify',
    /plug-in paydeskNotifications/,
    () => fastifyWith((app) => app.post('/paydesk', fastifyHandler(options))),
  ],
  [
    'Hono',
    /request\.json\(\) nowhere before/,
    () =>
      Promise.resolve(
        viaFetch((request) => hono((req) => (req as unknown as { raw: Request }).raw.json()).fetch(request)),
      ),
  ],
])('R-270 a body that was parsed before is a clear error in %s', async (_name, message, start) => {
  const answer = await (await start())(body);
  expect(answer.status).toBe(500);
  expect(answer.text).toMatch(message);
  expect(stored).toEqual([]);
});
