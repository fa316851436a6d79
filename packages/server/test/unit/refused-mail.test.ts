import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { systemIds } from '../../src/base/ids.ts';
import { createLog } from '../../src/base/log.ts';
import { OffsetClock } from '../../src/base/time/clock.ts';
import { createMailer, sendQueued } from '../../src/identity/mail/index.ts';

test('D-1208 the log of a mail that its server refuses has the answer, and not the recipient', async () => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      done(Object.assign(new Error(`<${address.toLowerCase()}>: no such person`), { responseCode: 550 }));
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.server.address() as AddressInfo;
  const clock = new OffsetClock();
  const mailer = createMailer(
    { kind: 'smtp', url: `smtp://127.0.0.1:${port}`, from: 'pay@desk.test', ca: null },
    { clock, ids: systemIds(), branding: () => ({ name: 'Paydesk', support_address: null }) },
  );
  onTestFinished(() => {
    mailer.stop();
  });
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  await sendQueued(
    { clock, log },
    {
      claim: () => Promise.resolve({ tries: 1 }),
      send: () => mailer.send({ to: 'Bo.Buyer@people.test', subject: 'Your receipt', text: 'Thank you.' }),
      remove: () => Promise.resolve(),
    },
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('no such person');
  expect(lines[0]).toContain('EENVELOPE');
  expect(lines[0]).not.toMatch(/people\.test/i);
});
