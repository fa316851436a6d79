import { chromium as playwright, type Browser } from 'playwright-core';
import { chromium } from '../run/tools.ts';

/**
 * What Chromium does without. A second list replaces the one of Playwright, so this has that one's features too.
 * Without the last two, each window loads the suggestions of its address bar as two pages more, which costs as much
 * as our own page.
 */
const features = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

/** Switches that keep the browser from calling its vendor, and any shop. They do not reduce its security. */
const quiet = [
  '--host-resolver-rules=MAP shop.example ~NOTFOUND',
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${features.join(',')}`,
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
  // The last of its compilers makes fast what runs long. Pages of tests end before that pays.
  '--js-flags=--no-turbofan',
];

/**
 * How long a page may take until it is as a test waits for it. A browser shares its cores with everything else, so a
 * test waits for the thing itself, and this only ends a wait for what never comes.
 */
export const patience_ms = 60_000;

/**
 * Starts the installed Chromium. It has no sandbox where root runs it, because it refuses to have one there.
 *
 * @param key_hash the key of a certificate that it takes for valid: passkeys work nowhere with an invalid one
 */
export function launchBrowser(key_hash?: string): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return playwright.launch({
    executablePath: chromium(),
    headless: true,
    chromiumSandbox: !isRoot,
    args: key_hash === undefined ? quiet : [...quiet, `--ignore-certificate-errors-spki-list=${key_hash}`],
  });
}
