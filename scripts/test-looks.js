/**
 * `npm run test:looks`: axe sees every page and whatever opens on it in every width and scheme, where the usual run lets it
 * see each in one.
 */

process.env.PAYDESK_EVERY_LOOK = '1';
const files = ['console-screens', 'console-exports', 'checkout-states', 'account'];
process.argv.splice(2, 0, ...files.map((name) => `packages/server/test/browser/${name}.test.ts`));
await import('./test-some.js');
