import { afterEach, expect, test, vi } from 'vitest';
import { OffsetClock } from '../../src/base/time/clock.ts';
import { createMailer } from '../../src/identity/mail/mailer.ts';
import { loadLibrary } from '../../src/oauth/provider/load-library.ts';
import { loadOnce } from '../../src/base/load-once.ts';

afterEach(() => {
  vi.doUnmock('nodemailer');
  vi.doUnmock('oidc-provider');
});

/** A package that cannot be loaded, as while the program is installed anew. */
const lack = (name: string): void => {
  vi.doMock(name, () => {
    throw new Error(`no ${name}`);
  });
};

test('D-894 what is loaded is kept, also by calls that come together; a failure is not kept', async () => {
  const load = vi
    .fn<() => Promise<number>>()
    .mockRejectedValueOnce(new Error('not yet'))
    .mockResolvedValue(1);
  const get = loadOnce(load);
  const both = await Promise.allSettled([get(), get()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([await get(), await get()]).toEqual([1, 1]);
  expect(load).toHaveBeenCalledTimes(2);
});

test('D-894 mail is sent once its library is there', async () => {
  const send = vi.fn(() => Promise.resolve());
  const mailer = createMailer(
    { kind: 'smtp', url: 'smtp://127.0.0.1:1', from: 'desk@example.com', ca: null },
    {
      clock: new OffsetClock(),
      ids: { ulid: () => '1' },
      branding: () => ({ name: 'Desk', support_address: null }),
    },
  );
  const mail = { to: 'ada@example.com', subject: 'A test', text: 'Hello' };
  lack('nodemailer');
  await expect(mailer.send(mail)).rejects.toThrow();
  vi.doMock('nodemailer', () => ({ createTransport: () => ({ sendMail: send, close: () => undefined }) }));
  await mailer.send(mail);
  expect(send).toHaveBeenCalledTimes(1);
  mailer.stop();
});

test('D-894 the library for OAuth is looked for again', async () => {
  lack('oidc-provider');
  await expect(loadLibrary()).rejects.toThrow();
  vi.doUnmock('oidc-provider');
  expect(await loadLibrary()).toHaveProperty('Provider');
});
