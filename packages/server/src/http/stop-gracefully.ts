/**
 * How the HTTP server ends: it takes no new connections, answers the requests that run and those that still come on kept ones,
 * each with `Connection: close` (D-960), and closes the rest.
 *
 * Invariant: a request that has begun to arrive is answered, unless it takes longer than the grace (H-24).
 */
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * Browsers open connections ahead of their next request. A connection that has sent nothing is closed this long after
 * the stop began, so that a request that was already sent is still answered.
 */
const silence_ms = 1_000;

/** Adds `leave` to the server, and to `close` the grace after which every connection is cut. */
export function stopGracefully(app: FastifyInstance, grace_ms: number): void {
  const { server } = app;
  let stopping = false;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.decorate('leave', async (limit_ms: number) => {
    stopping = true;
    if (!server.listening) return;
    const late = new AbortController();
    // Not the `close` of the HTTP server: it would close connections on which a request may be under way.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
    await Promise.race([closed, pause(limit_ms, undefined, { signal: late.signal })]);
    late.abort();
  });
  app.addHook('preClose', (done) => {
    stopping = true;
    const timers = [
      setTimeout(() => {
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, silence_ms),
      setTimeout(() => {
        server.closeAllConnections();
      }, grace_ms),
    ];
    server.once('close', () => {
      for (const timer of timers) clearTimeout(timer);
    });
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done(null, payload);
  });
}
