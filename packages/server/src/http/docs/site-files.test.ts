import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Site } from '@paydesk/docs/site';
import { expect, test } from 'vitest';
import { systemIds } from '../../base/ids.ts';
import { createLog } from '../../base/log.ts';
import { createHttp } from '../server.ts';
import { docsRoutes } from '../docs-routes.ts';
import { loadSiteFiles } from './site-files.ts';

test('H-06 a page and a file of the documentation that an upgrade has taken away are 404', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-docs-'));
  const page = { path: 'start', title: 'Start', summary: 'A first payment.', headings: [] };
  const site = {
    sections: [{ title: 'Guides', paths: ['start'] }],
    pages: [page],
    assets: { 'a.js': { content_type: 'text/javascript', compressed: false } },
    ...{ script: null, search_index: null },
  } satisfies Site;
  writeFileSync(join(folder, 'site.json'), JSON.stringify(site));
  const config = { public_url: 'https://pay.example', base_path: '', trusted_proxies: [], security: null };
  const noon = new Date('2026-11-22T12:00:00Z');
  const app = createHttp({ config, log: createLog('silent'), ids: systemIds() });
  docsRoutes(app, {
    config,
    clock: { now: () => noon, real: () => noon },
    files: loadSiteFiles(join(folder, 'site.json')),
  });
  for (const url of ['/docs/start', '/docs/start.md', '/docs/assets/a.js']) {
    expect([url, (await app.inject({ url })).statusCode]).toEqual([url, 404]);
  }
  await app.close();
  rmSync(folder, { recursive: true });
});
