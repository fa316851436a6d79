/**
 * The bare route that stores: Fastify, one POST, and one row for each request, without signature, encryption
 * and log. Its rate is the highest that HTTP and the database allow for accepting webhooks.
 */
import { fastify } from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.argv[3], max: 10 });
const app = fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, body);
});
app.get('/ready', () => ({ ready: true }));
app.post('/store', async (request) => {
  await pool.query({
    name: 'store',
    text: 'INSERT INTO stored (body) VALUES ($1)',
    values: [request.body],
  });
  return { received: true };
});
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
process.once('SIGTERM', () => {
  void app.close().then(() => pool.end());
});
