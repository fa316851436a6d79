import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { activityHeaders, watchActivity } from './activity.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each(['pointerdown', 'keydown', 'wheel', 'touchstart', 'pointermove'])(
  'D-201 calls are marked after a minute without input, until the next %s',
  (kind) => {
    const page = new EventTarget();
    watchActivity(page);
    page.dispatchEvent(new Event(kind));
    expect(activityHeaders()).toEqual({});
    vi.advanceTimersByTime(59_999);
    expect(activityHeaders()).toEqual({});
    vi.advanceTimersByTime(1);
    expect(activityHeaders()).toEqual({ 'x-paydesk-background': '1' });
    page.dispatchEvent(new Event(kind));
    expect(activityHeaders()).toEqual({});
  },
);
