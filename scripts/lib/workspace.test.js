import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeBillOfMaterials } from './workspace.js';

test('the bill of materials lists what the service loads and what browsers load, and no tools', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'paydesk-bill-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true });
  });
  const file = join(dir, 'new', 'sbom.cdx.json');
  expect(await writeBillOfMaterials(file)).toEqual({ code: 0, output: '' });
  const bill = JSON.parse(readFileSync(file, 'utf8'));
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'paydesk', type: 'application' } },
  });
  const names = bill.components.map((/** @type {{ name: string }} */ { name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'oidc-provider', 'pg', 'react', 'preact']));
  for (const tool of ['vitest', 'oxlint', 'typescript']) expect(names).not.toContain(tool);
  const { purl, hashes } = bill.components.find((/** @type {{ name: string }} */ { name }) => name === 'pg');
  expect([purl, hashes.length > 0]).toEqual([expect.stringMatching(/^pkg:npm\/pg@\d/), true]);
  // npm is a program of its own, which takes seconds on a busy machine.
});
