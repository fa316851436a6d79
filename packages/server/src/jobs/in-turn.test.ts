import { describe, expect, test } from 'vitest';
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
    let runs = 0;
    const error = new Error('a part');
    const pass = inTurn(
      () => Promise.reject(error),
      () => Promise.resolve(++runs),
    );
    await expect(pass()).rejects.toBe(error);
    expect(runs).toBe(1);
  });

  test('that fail are all told', async () => {
    const errors = [new Error('one'), new Error('another')];
    const pass = inTurn(...errors.map((error) => () => Promise.reject(error)));
    await expect(pass()).rejects.toMatchObject({ errors });
  });
});
