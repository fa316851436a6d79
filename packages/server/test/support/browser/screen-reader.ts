import type { Page } from 'playwright-core';

/** What a screen reader announces or jumps to; everything else is read as text. */
const told = new Set([
  ...['banner', 'main', 'contentinfo', 'navigation', 'region', 'form', 'heading', 'group', 'list', 'table'],
  ...['link', 'button', 'textbox', 'radiogroup', 'radio', 'checkbox', 'combobox', 'DisclosureTriangle'],
  ...['alert', 'status', 'timer', 'progressbar', 'dialog', 'image'],
]);

/** What is said of a thing beside its role and its name. */
const said = new Set(['level', 'checked', 'required', 'disabled', 'expanded', 'invalid']);

interface Node {
  nodeId: string;
  ignored: boolean;
  role?: { value?: string };
  name?: { value?: string };
  properties?: { name: string; value: { value?: unknown } }[];
  childIds?: string[];
}

/**
 * The page as Chromium hands it to a screen reader, in reading order: landmarks, headings, fields, buttons, links and
 * live regions, one a line, such as `heading "Receipt" level=1`.
 */
export async function outlineOf(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as { nodes: Node[] };
  await devtools.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const walk = (id: string): void => {
    const node = byId.get(id);
    if (node === undefined) return;
    const role = node.role?.value ?? '';
    if (!node.ignored && told.has(role)) lines.push(lineOf(role, node));
    for (const child of node.childIds ?? []) walk(child);
  };
  if (nodes[0] !== undefined) walk(nodes[0].nodeId);
  return lines;
}

function lineOf(role: string, { name, properties = [] }: Node): string {
  const states = properties
    .filter((one) => said.has(one.name) && ![false, 'false', undefined].includes(one.value.value as never))
    .map((one) => (one.name === 'level' ? `level=${String(one.value.value)}` : one.name));
  // Signs of direction are silent, and spaces are one space.
  const text = (name?.value ?? '').replaceAll(/[\u2066-\u2069\u200e\u200f]/g, '').replaceAll(/\s+/g, ' ');
  return [role, ...(text === '' ? [] : [`"${text}"`]), ...states].join(' ');
}

/** Presses Tab until what has this name has the focus, as somebody does who uses no mouse. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const at = document.activeElement;
      const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])] : [];
      return [at?.getAttribute('aria-label'), ...labels.map((one) => one.textContent), at?.textContent]
        .filter(Boolean)
        .join(' ');
    });
    if (focused.includes(name)) return;
  }
  throw new Error(`no way to ${name} by keyboard`);
}
