import { expect, test, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { byOwnDays, otherZone, plainZone, timeZone } from './time-zone.ts';

const refused = (field: string): ApiError =>
  new ApiError({ status: 400, code: 'invalid_request', message: '', field });

test('D-1401 figures are read by a zone of the same offset where the service does not know the zone of the viewer', async () => {
  const asked: string[] = [];
  const read = async (time_zone: string): Promise<string> => {
    asked.push(time_zone);
    if (time_zone === timeZone) throw refused('time_zone');
    return await Promise.resolve(time_zone);
  };
  await expect(byOwnDays(() => Promise.reject(refused('from')))).rejects.toMatchObject({ field: 'from' });
  expect(otherZone()).toBeNull();
  const offset = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-180);
  expect(await byOwnDays(read)).toBe('Etc/GMT-3');
  expect(await byOwnDays(read)).toBe('Etc/GMT-3');
  offset.mockRestore();
  expect(asked).toEqual([timeZone, 'Etc/GMT-3', 'Etc/GMT-3']);
  expect(otherZone()).toBe('Etc/GMT-3');
});

test.each([
  [0, 'UTC'],
  [240, 'Etc/GMT+4'],
  [-840, 'Etc/GMT-14'],
  [-345, 'UTC'],
])('D-1401 %d minutes from UTC are the zone %s', (offset_min, zone) => {
  expect(plainZone(offset_min)).toBe(zone);
  expect(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone).toBe(zone);
});
