import { expect, test } from 'vitest';
import { withSection } from '../support/run/reliability.ts';

const page =
  'Head.\n<!-- npm run a: begin -->\n\nold\n\n<!-- npm run a: end -->\n<!-- npm run b: begin -->\n<!-- npm run b: end -->\n';

test('a command replaces its own section of docs/reliability.md, and nothing else', () => {
  const once = withSection(page, 'a', ['new', 'lines']);
  expect(once).toBe(page.replace('old', 'new\nlines'));
  expect(withSection(once, 'a', ['old'])).toBe(page);
  expect(() => withSection(page, 'c', [])).toThrow('no section');
});
