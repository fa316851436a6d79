import { describe, expect, test, vi } from 'vitest';
import { AppError } from '../base/errors.ts';
import { inTurn } from './in-turn.ts';

describe('D-1180 the parts of a pass', () => {
  test('run one after another, and what they did is added up', async () => {
    const order: string[] = [];
    const part = (name: string, done: number) => async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      return done;
    };
    expect(await inTurn(part('first', 2), part('second', 3))()).toBe(5);
    expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  test('run although one before them failed; its error ends the pass', async () => {
    const later = vi.fn(() => Promise.resolve(0));
    const error = new Error('a part');
    await expect(inTurn(() => Promise.reject(error), later)()).rejects.toBe(error);
    expect(later).toHaveBeenCalledOnce();
  });

  test('that fail are all told', async () => {
    const errors = [new Error('one'), new Error('another')];
    const pass = inTurn(...errors.map((error) => () => Promise.reject(error)));
    await expect(pass()).rejects.toMatchObject({ errors });
  });

  test('H-25 that all fail because the database is away are told as that, and not as a failure of the service', async () => {
    const busy = [1, 2].map(() => new AppError('service_unavailable', { retry_after_s: 5 }));
    const pass = inTurn(...busy.map((error) => () => Promise.reject(error)));
    await expect(pass()).rejects.toBe(busy[0]);
  });
});

describe('D-1112 where a part of a pass fails, the others', () => {
  const failing = vi.fn(() => Promise.reject(new Error('a purge')));

  test('do all that they have to do', async () => {
    failing.mockClear();
    let left = 3;
    const pass = inTurn(failing, () => Promise.resolve(left === 0 ? 0 : left--));
    await expect(pass()).rejects.toThrow('a purge');
    expect([left, failing.mock.calls.length]).toEqual([0, 1]);
  });

  test('go on for some seconds, as a process that stops waits for the pass', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    const endless = vi.fn(() => Promise.resolve(1));
    await expect(inTurn(failing, endless)()).rejects.toThrow('a purge');
    expect(endless).toHaveBeenCalledTimes(6);
    vi.restoreAllMocks();
  });

  test('D-1228 go on also after a failure that took as long as a statement may', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const slow = () => {
      now += 5_500;
      return Promise.reject(new Error('a purge'));
    };
    let left = 3;
    const pass = inTurn(slow, () => Promise.resolve(left === 0 ? 0 : left--));
    await expect(pass()).rejects.toThrow('a purge');
    expect(left).toBe(0);
    vi.restoreAllMocks();
  });
});
