/** The HTML document around every page: head, header, languages, style and scripts. */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { accountCatalogue } from '../texts/account/catalogue.ts';
import type { AccountKey } from '../texts/account/messages.ts';
import { messagesIn } from '../texts/catalogue.ts';
import type { MessageKey } from '../texts/messages.ts';
import { directionOf, type Locale, locales as allLocales, localeTags } from '../model/locale.ts';
import { Icon } from '../view/icon.tsx';
import { type Ui, uiOf } from '../view/ui.ts';
import { type Asset, assetPath, type Assets } from './assets.ts';
import { scriptJson } from './script-json.ts';

/** The colours of one scheme that follow from the platform's accent. */
interface AccentScheme {
  accent: string;
  deep: string;
  on: string;
  tint: string;
}

/** How the platform looks. */
export interface Brand {
  name: string;
  /** On our own origin; null for the sign of Paydesk. */
  logo_url: string | null;
  /** Null where the accent is the one of the style sheet. */
  schemes: { light: AccentScheme; dark: AccentScheme } | null;
  /** Where people find help: `mailto:…` or `https:…`; null where none is set. */
  support_url: string | null;
  /** The platform's terms: `https:…`; null where none are set. */
  terms_url: string | null;
}

/** What every page needs from the server. */
export interface BaseContext {
  /** Paydesk's own where it is missing. */
  brand?: Brand;
  /** The nonce of every script and style of the page; the answer's content security policy names it (H-17). */
  nonce: string;
  /** The path prefix of the public address: '' or '/pay'. */
  base_path: string;
  locale: Locale;
  /** Whether the page answers a form directly: its place in the history becomes that of the page itself (D-408). */
  answers_form?: boolean;
  /** The languages to offer; all by default. */
  locales?: readonly Locale[];
  assets: Assets;
}

/**
 * The built scripts: the checkout's loads after the first paint, and has only what pages outside of frames need, so that its
 * first view is small (D-256); the one of passkeys and times loads with the page.
 */
export type PageScript = 'checkout' | 'full' | 'passkeys';

interface DocumentOptions {
  page: BaseContext;
  title: string;
  /** The address of this page in another language, or null if a change of language would lose something. */
  inLanguage: ((locale: Locale) => string) | null;
  /** The script that the page uses, if any. */
  script: PageScript | null;
  /** Whether the page is for a frame: its links and forms open tabs of their own (D-268). */
  framed?: boolean;
  children: ComponentChildren;
}

/** Every text of the checkout. */
export type PageUi = Ui<MessageKey>;

export const pageUi = ({ locale }: Pick<BaseContext, 'locale'>): PageUi => uiOf(locale, messagesIn(locale));

/** The texts of signing in and of the account. */
export const accountUi = ({ locale }: Pick<BaseContext, 'locale'>): Ui<AccountKey> =>
  uiOf(locale, accountCatalogue[locale]);

/**
 * A complete HTML document. Every script and style carries the nonce (H-17). The page loads nothing from elsewhere and
 * sends no referrer. Stored texts are escaped. A screen reader finds the same landmarks on each (D-352).
 */
export function renderDocument({
  page,
  title,
  inLanguage,
  script,
  framed = false,
  children,
}: DocumentOptions): string {
  const { nonce, base_path, assets, locale, brand } = page;
  const accent = brand?.schemes == null ? null : accentStyle(brand.schemes);
  const isOrder = script === 'checkout' || script === 'full';
  const style = isOrder ? assets.style : assets.style + assets.account;
  const later = script === 'checkout' ? assets.script : script === 'full' ? assets.full : null;
  const atOnce = script === 'passkeys' ? assets.passkeys : null;
  return `<!doctype html>${renderToString(
    <html lang={locale} dir={directionOf(locale)}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" href={icon} />
        {framed && <base target="_blank" />}
        {style !== '' && <style nonce={nonce} dangerouslySetInnerHTML={{ __html: style }} />}
        {accent !== null && <style nonce={nonce} dangerouslySetInnerHTML={{ __html: accent }} />}
        {later !== null && <link rel="expect" href={`#${lastPart}`} {...untilThere} />}
      </head>
      <body>
        <header class="top">
          <span class="brand">
            {brand?.logo_url == null ? (
              <BrandMark />
            ) : (
              <img class="brand-logo" src={brand.logo_url} alt="" height="28" />
            )}
            {brand?.name ?? 'Paydesk'}
          </span>
          {inLanguage !== null && <Languages page={page} inLanguage={inLanguage} />}
        </header>
        {children}
        {!isOrder && <KeepOffline page={page} />}
        {(brand?.support_url ?? brand?.terms_url ?? null) !== null && <Help page={page} />}
        {page.answers_form === true && inLanguage !== null && (
          <script nonce={nonce} dangerouslySetInnerHTML={{ __html: returnTo(inLanguage(locale)) }} />
        )}
        {later !== null && (
          <script
            type="module"
            id={lastPart}
            nonce={nonce}
            dangerouslySetInnerHTML={{ __html: loaderOf(assetPath(base_path, later), later) }}
          />
        )}
        {atOnce !== null && (
          <script
            type="module"
            nonce={nonce}
            src={assetPath(base_path, atOnce)}
            integrity={atOnce.integrity}
          />
        )}
      </body>
    </html>,
  )}`;
}

/**
 * The id of the last element of a page with a script. Browsers that know `rel=expect` paint once it has arrived: a
 * page of a few kilobytes appears at once rather than piece by piece.
 */
const lastPart = 'script';

/** The renderer's types do not know this attribute yet. */
const untilThere = { blocking: 'render' };

/**
 * Loads the checkout's script after the first paint, because the page is complete without it. A hidden page loads it
 * at once. It adds an element rather than calling `import()`, which cannot check the integrity of the script.
 */
const loaderOf = (path: string, { integrity }: Asset): string =>
  [
    `const load=()=>document.head.append(Object.assign(document.createElement('script'),`,
    `${scriptJson({ type: 'module', src: path, integrity })}));`,
    `document.hidden?load():requestAnimationFrame(()=>setTimeout(load))`,
  ].join('');

/** "Back" leads to the page again (D-408): a browser keeps no answer to a form, and would show an error of its own. */
function returnTo(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  searchParams.delete('lang');
  const query = searchParams.size === 0 ? '' : `?${searchParams.toString()}`;
  return `history.replaceState(null,'',${scriptJson(pathname + query)})`;
}

/**
 * Sends each form of a page once: a second tap sends it again, and its link or code works once (D-1136). After a while it can be
 * sent again.
 */
export function SendOnce({ page: { nonce } }: { page: Pick<BaseContext, 'nonce'> }) {
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: sendOnce }} />;
}

const sendOnce = [
  `addEventListener('submit',e=>{const{dataset:d}=e.target;if(e.defaultPrevented)return;`,
  `if(d.sent)e.preventDefault();else{d.sent='1';setTimeout(()=>delete d.sent,5000)}})`,
].join('');

/**
 * Keeps what was typed where a form is sent offline, and says so: the browser would leave for an error page of its own (D-1402).
 * The service may be on this machine, so it is asked first.
 */
function KeepOffline({ page }: { page: BaseContext }) {
  return (
    <>
      <p id="offline" class="notice" role="alert" hidden>
        {accountUi(page).t('form_offline')}
      </p>
      <script nonce={page.nonce} dangerouslySetInnerHTML={{ __html: keepOffline }} />
    </>
  );
}

const keepOffline = [
  `addEventListener('submit',e=>{const f=e.target,b=document.getElementById('offline'),{dataset:d}=f;`,
  `if(navigator.onLine||d.reached||d.passkey)return;e.preventDefault();e.stopImmediatePropagation();`,
  `fetch(location.href,{method:'HEAD',cache:'no-store'}).then(()=>{d.reached='1';f.requestSubmit(e.submitter);delete d.reached},`,
  `()=>{b.hidden=false;f.before(b)})},true);`,
  `addEventListener('online',()=>{document.getElementById('offline').hidden=true})`,
].join('');

/** The tab's icon, without a request. Only `#` is encoded: the rest is shorter as it is, and compresses. */
const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='%231f47c4'/><path d='M9 17l5 5 9-11' fill='none' stroke='%23fff' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/></svg>";

/** Comes after the style sheet, whose variables it sets. */
function accentStyle({ light, dark }: NonNullable<Brand['schemes']>): string {
  const rule = ({ accent, deep, on, tint }: AccentScheme): string =>
    `:root{--accent:${accent};--accent-deep:${deep};--on-accent:${on};--tint:${tint}}`;
  return `${rule(light)}@media(prefers-color-scheme:dark){${rule(dark)}}`;
}

function BrandMark() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" />
      <path d="M9 17l5 5 9-11" />
    </svg>
  );
}

/** A mail address without its scheme and encoding; another address as it is, which need not be one that decodes. */
export const shownAddress = (url: string): string =>
  url.startsWith('mailto:') ? decodeURIComponent(url.slice('mailto:'.length)) : url;

/** Where people find help and the platform's terms (D-235). */
function Help({ page }: { page: BaseContext }) {
  const { t } = accountUi(page);
  const { support_url = null, terms_url = null } = page.brand ?? {};
  return (
    <nav class="foot help no-print" aria-label={t('help')}>
      {support_url !== null && (
        <span>
          {t('help')}:{' '}
          <a href={support_url} rel="noopener">
            <bdi>{shownAddress(support_url)}</bdi>
          </a>
        </span>
      )}
      {terms_url !== null && (
        <a href={terms_url} rel="noopener">
          {t('terms')}
        </a>
      )}
    </nav>
  );
}

function Languages(props: { page: BaseContext; inLanguage: (locale: Locale) => string }) {
  const { page, inLanguage } = props;
  return (
    <details class="languages">
      <summary>
        <Icon name="globe" />
        <span class="unseen">{pageUi(page).t('language')}: </span>
        <span>{allLocales[page.locale]}</span>
      </summary>
      <ul>
        {(page.locales ?? localeTags).map((tag) => (
          <li key={tag}>
            <a
              href={inLanguage(tag)}
              lang={tag}
              hreflang={tag}
              target="_self"
              dir={directionOf(tag)}
              aria-current={tag === page.locale ? 'true' : undefined}
            >
              {allLocales[tag]}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
