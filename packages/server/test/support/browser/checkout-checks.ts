import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Visit } from './checkout-visit.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA and lower, and the best practices of the tool. */
export const everyRule: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

/** The differences that two languages of one page may have, besides line breaks. */
export const rulesOfWords: RunOptions = { ...everyRule, rules: { 'color-contrast': { enabled: false } } };

export interface Look {
  width: number;
  scheme: 'light' | 'dark';
}

/** Opposite corners of the two dimensions that a page can be turned in while it is open. */
const opposite: readonly (readonly [Look, Look])[] = [
  [
    { width: 320, scheme: 'light' },
    { width: 1_280, scheme: 'dark' },
  ],
  [
    { width: 320, scheme: 'dark' },
    { width: 1_280, scheme: 'light' },
  ],
];

/**
 * Two opposite corners: the other two in every other row, so that widths, schemes and languages meet in pairs. The first one,
 * which axe sees in the usual run, is on the wide screen in every other pair of rows.
 */
export function corners(row: number): readonly Look[] {
  const pair = opposite[row % 2] ?? [];
  return row % 4 < 2 ? pair : pair.toReversed();
}

export async function turnTo({ page }: Pick<Visit, 'page'>, { width, scheme }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: width < 600 ? 780 : 860 });
}

/**
 * The accessibility problems of the page; empty if there are none.
 *
 * @param rules the axe rules to check; null if they were checked before
 */
export async function flaws(
  { page }: Pick<Visit, 'page'>,
  rules: RunOptions | null = everyRule,
): Promise<unknown[]> {
  await settled(page);
  const found: unknown[] = await page.evaluate(layoutFlaws);
  if (rules === null) return found;
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const violations = await page.evaluate(async (options) => {
    const { axe } = globalThis as unknown as { axe: { run(o: RunOptions): Promise<AxeResults> } };
    const answer = await axe.run(options);
    // All that axe says is much, and to carry it out of the page costs as much as a part of the check.
    return answer.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)]);
  }, rules);
  return [...found, ...violations];
}

/**
 * Colours in a transition belong to neither state. This also waits for transitions that begin a moment later. It uses a
 * timer, because a page that is about to be left draws no frames.
 */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 40));
      const changing = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      if (changing.length === 0) return;
      await Promise.all(changing.map((animation) => animation.finished.catch(() => undefined)));
    }
  });

/** Runs in the page without waiting: with scripts off, nothing that waits ends. */
export function layoutFlaws(): unknown[] {
  const found: unknown[] = [];
  const { scrollWidth, clientWidth, dir } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(['scrolls sideways', scrollWidth, clientWidth]);
  if (dir !== (document.documentElement.lang === 'ar' ? 'rtl' : 'ltr'))
    found.push(['runs the wrong way', dir]);
  const targets = 'a, button, summary, .method, input:not([type=hidden], [type=radio]), select';
  for (const target of document.querySelectorAll<HTMLElement>(targets)) {
    const { width, height, left, right } = target.getBoundingClientRect();
    const style = getComputedStyle(target);
    if (width === 0 || style.visibility === 'hidden' || target.closest('[aria-hidden=true]') !== null)
      continue;
    if (width < 44 || height < 43.9)
      found.push(['small target', target.outerHTML.slice(0, 120), width, height]);
    if (left < 0 || right > clientWidth) found.push(['out of view', target.outerHTML.slice(0, 120)]);
  }
  // Numbers of orders and payments may spell anything.
  const text = document.body.innerText.replaceAll(/\w{20,}/g, '');
  for (const odd of ['undefined', 'NaN', '[object', 'null', '{', '}']) {
    if (text.includes(odd)) found.push(['odd text', odd]);
  }
  if (/\bfail(s|ed|ure)?\b/i.test(text)) found.push(['calls something a failure', text]);
  return found;
}

/** Messages of the browser about an answer that the page requested and shows. */
const expected =
  /^Failed to load resource: (the server responded with a status of (202|40[2349]|410|422|429|503)|net::ERR_(FAILED|INTERNET_DISCONNECTED|ABORTED))/;

/** No request was refused, no error happened, and no request went to another site. */
export function expectQuiet(visit: Visit, own: readonly string[]): void {
  expect(visit.complaints.filter((text) => !expected.test(text))).toEqual([]);
  const foreign = visit.requests.filter(
    ({ url }) => !url.startsWith('data:') && !own.some((origin) => url.startsWith(`${origin}/`)),
  );
  expect(foreign).toEqual([]);
  // Not even to ourselves: a Referer would carry the token on.
  expect(visit.requests.filter(({ referer }) => referer?.includes('token=') === true)).toEqual([]);
}
