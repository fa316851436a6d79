import { expect, test, vi } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { isOlder, isRelease, release } from './release.ts';

test('releases are compared by their numbers, not as texts', () => {
  expect(isOlder('0.9.0', '0.10.0')).toBe(true);
  expect(isOlder('0.10.0', '0.9.9')).toBe(false);
  expect(isOlder('0.2.0', '0.2.0')).toBe(false);
  expect(isOlder('0.2.9', '1.0.0')).toBe(true);
  expect(() => isOlder('0.2', '0.2.0')).toThrow(/"0.2" is not a release/);
  expect(isRelease(release)).toBe(true);
});

test.each(['version', '--version', '-v'])(
  'paydesk %s prints the version, whatever the settings are',
  async (name) => {
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    expect(await runCommand([name], { PORT: 'no port' })).toBe(0);
    expect(said.mock.calls).toEqual([[release]]);
  },
);
