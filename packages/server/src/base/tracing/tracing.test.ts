import type { Span, SpanContext } from '@opentelemetry/api';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import {
  beginSpan,
  callerOf,
  inPassSpan,
  inQuerySpan,
  inSpan,
  setTracer,
  spanOf,
  traceHeaders,
  traceparentNow,
} from './tracing.ts';

interface Ended {
  name: string;
  parent: string | undefined;
  attributes: Record<string, unknown>;
}

const ended: Ended[] = [];

/** A tracer whose spans are named by their order, in one trace. */
function beginTracing(): void {
  let made = 0;
  setTracer({
    begin(name, _kind, given, parent) {
      const context = { traceId: 'a'.repeat(32), spanId: `${++made}`, traceFlags: 1 };
      const attributes: Record<string, unknown> = { ...given };
      return {
        spanContext: () => context,
        isRecording: () => true,
        setAttribute: (key: string, value: unknown) => (attributes[key] = value),
        setStatus: () => undefined,
        end: () => ended.push({ name, parent: parent?.spanId, attributes }),
      } as unknown as Span;
    },
    read: ({ traceparent }) =>
      traceparent === undefined ? undefined : ({ spanId: String(traceparent) } as SpanContext),
    write: ({ spanId }) => ({ traceparent: spanId }),
  });
}

const names = (): string[] => ended.map(({ name }) => name);

beforeEach(() => {
  ended.length = 0;
  beginTracing();
});
afterEach(() => {
  setTracer(null);
});

describe('spans', () => {
  test('a span belongs to the one that it was begun in, or to the given one', async () => {
    await inSpan('request', { parent: callerOf({ traceparent: 'caller' }) }, async () => {
      expect(traceHeaders()).toEqual({ traceparent: '1' });
      await inSpan('call', {}, () => Promise.resolve());
      await inSpan('delivery', { parent: spanOf('cause') }, () => Promise.resolve());
      await inSpan('root', { parent: spanOf(null) }, () => Promise.resolve());
    });
    expect(ended.map(({ name, parent }) => [name, parent])).toEqual([
      ['call', '1'],
      ['delivery', 'cause'],
      ['root', undefined],
      ['request', 'caller'],
    ]);
  });

  test('a failed span tells the kind of the error and not its text', async () => {
    const error = Object.assign(new Error('duplicate key: (secret)'), { code: '23505' });
    const failing = inSpan('statement', {}, () => Promise.reject(error));
    await expect(failing).rejects.toBe(error);
    expect(ended).toEqual([{ name: 'statement', parent: undefined, attributes: { 'error.type': '23505' } }]);
  });

  test('a call of the database has a span only as part of another', async () => {
    const ask = (): Promise<number> =>
      inQuerySpan(
        () => 'SELECT merchants',
        () => Promise.resolve(1),
      );
    expect(await ask()).toBe(1);
    expect(ended).toEqual([]);
    await inSpan('request', {}, ask);
    expect(names()).toEqual(['SELECT merchants', 'request']);
  });

  test('where traces are off, nothing is made and the work runs', async () => {
    setTracer(null);
    expect(beginSpan('request')).toBeNull();
    expect(await inSpan('request', {}, (span) => Promise.resolve([span, traceparentNow()]))).toEqual([
      null,
      null,
    ]);
    expect(await inPassSpan('sweep', () => Promise.resolve(7))).toBe(7);
    expect([spanOf('x'), callerOf({ traceparent: 'x' })]).toEqual([null, null]);
  });
});

describe('a pass of background work', () => {
  test('begins a trace, and reports nothing where nothing was due', async () => {
    const looks = () =>
      inQuerySpan(
        () => 'SELECT due',
        () => Promise.resolve(0),
      );
    await inSpan('request', {}, () => inPassSpan('sweep', looks));
    expect(names()).toEqual(['request']);
    await inSpan('request', {}, () => inPassSpan('sweep', () => Promise.resolve(2)));
    expect(ended.at(-2)).toMatchObject({ name: 'pass sweep', parent: undefined });
  });

  test.each([
    ['failed', () => Promise.reject(new Error('no database'))],
    ['caused an event', () => Promise.resolve(traceparentNow() === null ? 1 : 0)],
    ['called someone', () => inSpan('call', {}, () => Promise.resolve(0))],
  ])('is reported if it %s', async (_, work) => {
    await inPassSpan('sweep', work).catch(() => undefined);
    expect(names()).toContain('pass sweep');
  });
});

describe('a line of the log', () => {
  const lineOf = (stream: PassThrough): unknown => JSON.parse(String(stream.read()));

  test('names its trace', async () => {
    const stream = new PassThrough();
    const log = createLog('info', stream);
    await inSpan('request', {}, () => {
      log.info({ a: 1 }, 'paid');
      return Promise.resolve();
    });
    expect(lineOf(stream)).toMatchObject({ a: 1, trace_id: 'a'.repeat(32), span_id: '1', msg: 'paid' });
  });

  test('names none outside of a trace, or where traces are off', () => {
    const stream = new PassThrough();
    createLog('info', stream).info('paid');
    expect(lineOf(stream)).not.toHaveProperty('trace_id');
    setTracer(null);
    createLog('info', stream).info('paid');
    expect(lineOf(stream)).not.toHaveProperty('trace_id');
  });
});
