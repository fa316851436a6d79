import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe looks at of a page that is open. */
export interface AxeLook {
  /** The rules beside those of contrasts and targets; null: none of them. */
  rules?: RunOptions | null;
  /** Whether the targets are large enough, or far enough from others. */
  targets?: boolean;
  /** Whether the contrasts are enough in the other scheme as well. */
  both?: boolean;
  /** Whether texts can be read in their colours. */
  texts?: boolean;
  /** Checks only the last element of this selector that is shown. */
  within?: string;
}

/**
 * Ways of drawing a text that axe has measured, and found to be readable: the colours of the text and of all behind it,
 * and its size. Axe computes what lies over what on the whole page, which costs more than all its other rules together;
 * what is drawn in a way that is known to be readable needs none of that.
 */
const readable = new Set<number>();

/** How often axe could not tell of one text, such as of a single letter. It is asked twice. */
const unclear = new Map<number, number>();

/** What axe finds in a page: each rule with the first elements that break it. */
export async function axeFindings(page: Page, look: AxeLook): Promise<[rule: string, html: string[]][]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const known = [...readable, ...[...unclear].filter(([, times]) => times > 1).map(([key]) => key)];
  const { violations, clear, others } = await page.evaluate(runAxe, [look, known] as const);
  // What is wrong is told of each time.
  if (violations.length === 0) {
    for (const key of clear) readable.add(key);
    for (const key of others) unclear.set(key, (unclear.get(key) ?? 0) + 1);
  }
  return violations;
}

interface Found {
  violations: [rule: string, html: string[]][];
  /** Ways of drawing a text that are readable. */
  clear: number[];
  /** Texts of which axe does not know. */
  others: number[];
}

/** Runs in the page. */
async function runAxe([look, told]: readonly [AxeLook, readonly number[]]): Promise<Found> {
  const { rules = null, targets = false, texts: reads = true, both = false, within = 'html' } = look;
  const { axe } = globalThis as unknown as {
    axe: { run(on: ElementContext, o: RunOptions): Promise<AxeResults> };
  };
  const known = new Set(told);
  const found: Found = { violations: [], clear: [], others: [] };
  const root = document.documentElement;
  const shown = [...document.querySelectorAll(within)].findLast((one) => one.checkVisibility()) ?? root;
  // Of all that axe says: to carry it out of the page costs as much as a part of the check.
  const add = ({ violations }: Pick<AxeResults, 'violations'>, scheme = ''): void => {
    for (const { id, nodes } of violations)
      found.violations.push([`${id}${scheme}`, nodes.map(({ html }) => html).slice(0, 3)]);
  };
  const drawn = { 'color-contrast': { enabled: false }, 'target-size': { enabled: false } };
  if (rules !== null) {
    const on = shown === root ? document : shown;
    add(await axe.run(on, { resultTypes: ['violations'], ...rules, rules: { ...rules.rules, ...drawn } }));
  }

  /** Whether it is on the page for people to see. */
  const isDrawn = (one: Element): boolean => {
    const { width, height, right, bottom } = one.getBoundingClientRect();
    return width > 0 && height > 0 && right > 0 && bottom + scrollY > 0 && one.checkVisibility();
  };

  /** Targets that are small and near to another, or lie over one: axe says what is wrong with them. */
  const doubtful = (): Element[] => {
    const all = 'a[href], area, button, input, select, textarea, summary, [tabindex], [contenteditable]';
    const targets_shown = [...shown.querySelectorAll<HTMLElement>(all)]
      .filter((one) => one.tabIndex >= 0 && isDrawn(one))
      .map((one) => [one, one.getBoundingClientRect()] as const);
    return targets_shown
      .filter(([one, { left, right, top, bottom, width, height }]) => {
        const isSmall = width < 24 || height < 24;
        // A circle of this radius around the middle of a small one is far from any other.
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        return targets_shown.some(([other, at]) => {
          if (other === one) return false;
          if (!isSmall) return at.left < right && left < at.right && at.top < bottom && top < at.bottom;
          const across = Math.max(at.left - x, 0, x - at.right);
          return Math.hypot(across, Math.max(at.top - y, 0, y - at.bottom)) < 25;
        });
      })
      .map(([one]) => one);
  };

  /** The texts that are drawn in no known way: the way, and the text in it. */
  const unread = (): Map<Element, readonly [way: number, text: number]> => {
    const nothing = 'rgba(0, 0, 0, 0) none none normal ';
    const around = new Map<Element, readonly [behind: string, opacity: string]>();
    const lookAround = (one: Element): readonly [behind: string, opacity: string] => {
      const before = around.get(one);
      if (before !== undefined) return before;
      const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } =
        getComputedStyle(one);
      // What lies apart from its parent may lie over something else.
      const apart = /^(static|relative)$/.test(position)
        ? ''
        : `${position} ${one.getAttribute('class') ?? ''}`;
      const own = [backgroundColor, backgroundImage, filter, mixBlendMode, apart].join(' ');
      const [behind, dimmed] = one.parentElement === null ? ['', ''] : lookAround(one.parentElement);
      const all = own === nothing ? behind : backgroundColor.startsWith('rgb(') ? own : `${own} < ${behind}`;
      const it = [all, opacity === '1' ? dimmed : `${opacity} ${dimmed}`] as const;
      around.set(one, it);
      return it;
    };
    const hash = (text: string): number => {
      let [a, b] = [0xdeadbeef, 0x41c6ce57];
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        a = Math.imul(a ^ code, 2_654_435_761);
        b = Math.imul(b ^ code, 1_597_334_677);
      }
      return 4_294_967_296 * (2_097_151 & b) + (a >>> 0);
    };
    // What has no words in it, cannot be used, or is not told of, axe leaves out.
    const fields =
      'select, textarea, input:not([type=hidden], [type=range], [type=color], [type=checkbox], [type=radio], [type=image])';
    const hasWords = ({ nodeType, nodeValue }: Node): boolean =>
      nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(nodeValue ?? '');
    const away =
      ':disabled, [aria-disabled=true], [aria-hidden=true], [inert], script, style, noscript, head';
    const texts = new Map<Element, readonly [number, number]>();
    for (const one of [shown, ...shown.querySelectorAll('*')]) {
      const isText = one.matches(fields) || [...one.childNodes].some(hasWords);
      if (!isText || one.closest(away) !== null || !isDrawn(one)) continue;
      const { color, fontSize, fontWeight, textShadow } = getComputedStyle(one);
      // Large and bold texts need less.
      const size = [18.66, 24].filter((least) => parseFloat(fontSize) >= least).length;
      const way = [color, size, Number(fontWeight) >= 700, textShadow, ...lookAround(one)].join('|');
      if (known.has(hash(way))) continue;
      const text = hash(`${way} ${one.outerHTML}`);
      if (!known.has(text)) texts.set(one, [hash(way), text]);
    }
    return texts;
  };

  const checkDrawn = async (scheme: string): Promise<void> => {
    const small = targets ? doubtful() : [];
    const texts = reads ? unread() : new Map<Element, readonly [number, number]>();
    if (small.length + texts.size === 0) return;
    const runOnly = [
      ...(small.length > 0 ? ['target-size'] : []),
      ...(texts.size > 0 ? ['color-contrast'] : []),
    ];
    const answer = await axe.run([...small, ...texts.keys()], {
      runOnly,
      resultTypes: ['violations', 'passes'],
      elementRef: true,
    });
    add(answer, scheme);
    const clear = new Set<Element>();
    for (const { nodes } of answer.passes.filter(({ id }) => id === 'color-contrast')) {
      for (const { element, any } of nodes) {
        // What axe does not see counts as passed, too.
        const { contrastRatio } = (any[0]?.data ?? {}) as { contrastRatio?: number };
        if (element !== undefined && contrastRatio !== undefined) clear.add(element);
      }
    }
    for (const [one, [way, text]] of texts) {
      if (clear.has(one)) found.clear.push(way);
      else found.others.push(text);
    }
  };
  await checkDrawn('');
  if (!both) return found;
  // The scheme of the system reaches the styles by this attribute alone.
  const { mantineColorScheme: scheme } = root.dataset;
  const settle = (): void => {
    getComputedStyle(root).getPropertyValue('color');
    for (const one of document.getAnimations()) {
      // A colour on its way is none of the page's.
      if (Number.isFinite(one.effect?.getComputedTiming().endTime)) one.finish();
    }
  };
  root.dataset.mantineColorScheme = scheme === 'dark' ? 'light' : 'dark';
  settle();
  await checkDrawn(`, ${root.dataset.mantineColorScheme}`);
  root.dataset.mantineColorScheme = scheme;
  settle();
  return found;
}
