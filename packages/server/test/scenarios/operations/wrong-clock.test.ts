import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  busyMerchant,
  checkoutOf,
  type Merchant,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { eventually, startTestService, type TestService } from '../../support/desks/service.ts';
import { trueNow_ms, withWrongClock } from '../../support/desks/wrong-clock.ts';

/** A machine whose clock is wrong (docs/operating/clocks.md). */

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let cookie: string;
/** How far the test clock is ahead of real time. */
let advanced_s = 0;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  platform = await setUpPlatform(service);
  merchant = await busyMerchant(service, platform.merchant_no, 2);
  cookie = await signIn(service, platform.buyer);
});
afterAll(() => service.stop());

interface Overview {
  alarms: { alarm: string; severity: string; about: string | null; since: string | null }[];
}
const clockAlarms = async (): Promise<Overview['alarms']> => {
  const { alarms } = await service.admin<Overview>('GET', '/overview?time_zone=UTC');
  return alarms.filter(({ alarm }) => alarm === 'clock_off');
};
const offset_s = async (): Promise<number> => {
  const { text } = await service.send('GET', '/metrics');
  return Number(/^paydesk_clock_offset_seconds (\S+)$/m.exec(text)?.[1]);
};

describe.each([90, -90])('a clock that is %i s off', (off_s) => {
  test('D-024 D-200 R-196 requests are still answered by the database’s time', async () => {
    await withWrongClock(off_s, async () => {
      const order = await merchant.order({ expires_in: 60 });
      const left_s = (Date.parse(order.expires_at) - trueNow_ms()) / 1_000 - advanced_s;
      expect(left_s).toBeGreaterThan(10);
      expect(left_s).toBeLessThan(65);
      expect((await checkoutOf(service, order, cookie).state()).status).toBe(200);
      await payWithPtk(service, order, cookie);
      expect((await merchant.read(order.order_no)).body).toMatchObject({ status: 'paid' });
      const late = await merchant.order({ expires_in: 60 });
      await service.advance(61);
      advanced_s += 61;
      expect((await merchant.read(late.order_no)).body).toMatchObject({ status: 'expired' });
    });
  });

  test('H-24 the process is not ready, and a metric and an alarm say so until the clock is right again', async () => {
    await withWrongClock(off_s, async () => {
      const answer = await service.send('GET', '/readyz?verbose=1');
      expect(answer.status).toBe(503);
      const words = `${off_s > 0 ? 'ahead of' : 'behind'} the database, more than 30 s`;
      expect(answer.text).toMatch(
        new RegExp(`^\\[-\\]clock failed: (8[5-9]|9[0-4])\\.\\d{3} s ${words}$`, 'm'),
      );
      expect(Math.abs((await offset_s()) + off_s)).toBeLessThan(5);
      const [alarm] = await eventually(clockAlarms, (alarms) => alarms.length > 0);
      expect(alarm).toMatchObject({ severity: 'alarm' });
      expect(alarm?.about).toMatch(/^all on .+, process \d+$/);
      expect(Math.abs(Date.parse(alarm?.since ?? '') - trueNow_ms())).toBeLessThan(120_000);
    });
    expect((await service.send('GET', '/readyz')).status).toBe(200);
    expect(Math.abs(await offset_s())).toBeLessThan(5);
    await eventually(clockAlarms, (alarms) => alarms.length === 0);
  });
});

test('H-24 a clock that is 10 s off raises the alarm, and the process stays ready', async () => {
  await withWrongClock(10, async () => {
    await eventually(clockAlarms, (alarms) => alarms.length > 0);
    expect((await service.send('GET', '/readyz')).status).toBe(200);
  });
});
