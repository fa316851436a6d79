import { chromium as playwright, type Browser } from 'playwright-core';
import { chromium } from './tools.ts';

/** What keeps the browser from calling home. Nothing here loosens its security. */
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
];

/** Starts the installed Chromium. It has no sandbox where root runs it, because it refuses to have one there. */
export function launchBrowser({ headless = true }: { headless?: boolean } = {}): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return playwright.launch({
    executablePath: chromium(),
    headless,
    chromiumSandbox: !isRoot,
    args: quiet,
  });
}
