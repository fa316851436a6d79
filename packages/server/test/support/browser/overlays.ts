/** Opens everything that a page of the consoles can open above itself, checks it with axe, and closes it by keyboard. */
import type { Page } from 'playwright-core';
import type { Visitor } from './console-browser.ts';
import { everyLook } from './looks.ts';

/** Dialogs, drawers, calendars, menus and lists of choices. */
const layer = '[role=dialog], [role=menu], [role=listbox]';

interface Opener {
  /** The number that marks it in the page. */
  mark: number;
  /** What it opens: the same in each row of a table, and on each page for what every page has. */
  key: string;
}

/** Runs in the page: marks what opens something, in the uppermost layer if there is one. */
function markOpeners([layers, path]: readonly [string, string]): Opener[] {
  for (const marked of document.querySelectorAll('[data-opener]')) marked.removeAttribute('data-opener');
  const top = [...document.querySelectorAll(layers)].findLast((one) => one.checkVisibility());
  const isOpener = (one: HTMLElement): boolean =>
    one.checkVisibility() &&
    !one.matches(':disabled, [aria-expanded=true]') &&
    // A field for free text has no choices to show.
    one.closest('.mantine-TagsInput-root') === null;
  const place = top?.getAttribute('role') ?? 'page';
  const keyOf = (one: HTMLElement): string => {
    const kind = one.getAttribute('aria-haspopup') ?? '';
    const name = one.getAttribute('aria-label') ?? one.textContent;
    if (one.closest('header') !== null) return `${kind}: ${name}`;
    // Lists of choices are the same component everywhere, and differ by how one chooses.
    if (kind === 'listbox') {
      const isMany = one.closest('.mantine-MultiSelect-root') !== null;
      return `${kind} of ${place}${isMany ? ', many' : ''}${one.matches(':read-only') ? '' : ', searchable'}`;
    }
    const cell = one.closest('td');
    // A link in a row is named by what the row is about; a button is named by what it does.
    const isNamedByRow = cell !== null && !one.matches('.mantine-Button-root');
    return `${kind}: ${isNamedByRow ? `column ${cell.cellIndex}` : name}, ${place} ${path}`;
  };
  const found = [...(top ?? document.body).querySelectorAll<HTMLElement>('[aria-haspopup]')];
  return found.filter(isOpener).map((one, mark) => {
    one.dataset.opener = String(mark);
    return { mark, key: keyOf(one) };
  });
}

/** Waits until so many layers are open, and what the uppermost shows is there. */
const untilOpen = (page: Page, count: number, what: string): Promise<unknown> =>
  page
    .waitForFunction(
      ([layers, wanted]) => {
        const open = [...document.querySelectorAll(layers)].filter((one) => one.checkVisibility());
        return (
          open.length === wanted &&
          !open.at(-1)?.querySelector('[role=status][aria-label=Loading], [data-loading]')
        );
      },
      [layer, count] as const,
    )
    .catch(async (cause: unknown) => {
      const open = await page.locator(layer).allInnerTexts();
      throw new Error(`${what}: open instead of ${count} are ${JSON.stringify(open)}`, { cause });
    });

/** What an open page can be turned to: another width of the window, and the other scheme of the system. */
export interface Look {
  width: number;
  scheme: 'light' | 'dark';
}

/** Turns the open page to another look, and waits until it is drawn so. */
export async function turnTo({ page }: Visitor, { width, scheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await changeScheme(page, scheme);
  // The page hears of its width before it draws a frame, and changes before the frame after the next.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
      }),
  );
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

/** Changes between light and dark, as the system of a person does. */
async function changeScheme(page: Page, colorScheme: Look['scheme']): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction((scheme) => {
    if (document.documentElement.dataset.mantineColorScheme !== scheme) return false;
    // A colour in the middle of a transition is not a colour of the page.
    for (const one of document.getAnimations()) {
      if (Number.isFinite(one.effect?.getComputedTiming().endTime)) one.finish();
    }
    return true;
  }, colorScheme);
}

/**
 * The axe findings of what is open on top. The page stays in the scheme that was checked last.
 *
 * @param both whether it is looked at in the other scheme as well
 */
export async function violationsOnTop(
  visitor: Visitor,
  within = layer,
  both = everyLook,
): Promise<unknown[]> {
  const { page } = visitor;
  const [isDark, isDialog] = await page.evaluate((layers) => {
    const top = [...document.querySelectorAll(layers)].findLast((one) => one.checkVisibility());
    return [
      document.documentElement.dataset.mantineColorScheme === 'dark',
      top?.getAttribute('role') === 'dialog',
    ];
  }, layer);
  const [one, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const found = await visitor.violations(null, within);
  // To axe a dialog is a landmark itself, wherever it lies.
  if (!isDialog) found.push(...(await visitor.outsideLandmarks()));
  const said = found.map((violation) => [one, violation]);
  if (!both) return said;
  await changeScheme(page, other);
  const again = await visitor.violations('scheme', within);
  return [...said, ...again.map((violation) => [other, violation])];
}

/**
 * Opens each of what the page, or what is open on top, can open, unless it was seen. Escape closes it, and nothing else.
 *
 * @param path the page: what belongs to one page is opened on each
 * @param seen what was opened before
 * @param depth how much is open already
 * @returns what axe finds, by what was open
 */
export async function checkOverlays(
  visitor: Visitor,
  path: string,
  seen: Set<string>,
  depth = 0,
): Promise<unknown[]> {
  const { page } = visitor;
  const found: unknown[] = [];
  for (;;) {
    // The layer that was open may have changed the page.
    const openers = await page.evaluate(markOpeners, [layer, path] as const);
    const next = openers.find(({ key }) => !seen.has(key));
    if (next === undefined) return found;
    const { key, mark } = next;
    seen.add(key);
    await page.evaluate((number) => {
      const opener = document.querySelector<HTMLElement>(`[data-opener="${number}"]`);
      opener?.focus();
      opener?.click();
    }, mark);
    await untilOpen(page, depth + 1, key);
    for (const violation of await violationsOnTop(visitor)) found.push([key, violation]);
    found.push(...(await checkOverlays(visitor, path, seen, depth + 1)));
    await page.keyboard.press('Escape');
    await untilOpen(page, depth, `Escape in ${key}`);
  }
}

/** An answer that refuses a call, so that nothing changes. */
const refusal = {
  status: 503,
  json: { error: 'service_unavailable', error_description: 'Try again in a moment.' },
};

/** What the search shows: orders that it finds, and that it finds nothing. */
export async function checkSearch(visitor: Visitor): Promise<unknown[]> {
  const { page } = visitor;
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog', { name: 'Search' });
  await search.getByRole('combobox', { name: 'Search' }).fill('mp_');
  // The status is in the words of the console; the service gives its code.
  await search
    .getByText(/^(Paid|Pending|Expired|Chargeback|Refunded|In review) · .* · mp_/)
    .first()
    .waitFor();
  const found = await violationsOnTop(visitor, layer, true);
  await search.getByRole('combobox', { name: 'Search' }).fill('nothing is called this');
  await search.getByRole('status').filter({ hasText: 'No results.' }).waitFor();
  found.push(...(await violationsOnTop(visitor, layer, true)));
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  return found.map((violation) => ['the search', violation]);
}

/** Refuses every call that would change something, until the function that it returns is called. */
async function refuseChanges({ page }: Visitor): Promise<() => Promise<void>> {
  await page.route('**/v1/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill(refusal),
  );
  return () => page.unroute('**/v1/**');
}

/** A dialog that says what is missing in its fields, then that the service has refused it. */
export async function checkErrors(
  visitor: Visitor,
  opener: string,
  submit: string,
  values: Readonly<Record<string, string>>,
): Promise<unknown[]> {
  const { page } = visitor;
  await page.getByRole('button', { name: opener, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: submit, exact: true }).click();
  await dialog.getByText('Enter a value.').first().waitFor();
  const found = await violationsOnTop(visitor, layer, true);
  const allow = await refuseChanges(visitor);
  for (const [name, value] of Object.entries(values)) {
    await dialog.getByRole('textbox', { name }).fill(value);
  }
  await dialog.getByRole('button', { name: submit, exact: true }).click();
  await dialog.getByRole('alert').getByText(refusal.json.error_description).waitFor();
  found.push(...(await violationsOnTop(visitor, layer, true)));
  await allow();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  return found.map((violation) => ['errors in a dialog', violation]);
}

/** A notice that something failed: it stays until its button closes it (D-521). */
export async function checkNotice(visitor: Visitor, button: RegExp): Promise<unknown[]> {
  const { page } = visitor;
  const allow = await refuseChanges(visitor);
  await page.getByRole('button', { name: button }).first().click();
  const notice = page.getByRole('alert').filter({ hasText: refusal.json.error_description });
  await notice.waitFor();
  const found = await violationsOnTop(visitor, '.mantine-Notifications-root', true);
  await allow();
  await notice.getByRole('button', { name: 'Close' }).click();
  await notice.waitFor({ state: 'detached' });
  return found.map((violation) => ['a notice', violation]);
}
