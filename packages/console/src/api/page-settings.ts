/** The settings that the server wrote into the page. */
export const pageSettings = {
  /** The path prefix of the service: '' or '/pay'. */
  base_path: document.documentElement.dataset.basePath ?? '',
  /** What the platform is called, and how it looks. */
  brand: {
    name: document.documentElement.dataset.brandName ?? 'Paydesk',
    /** The address of the logo; '' for the sign of Paydesk. */
    logo: document.documentElement.dataset.brandLogo ?? '',
    /** Ten shades of the accent colour, from light to dark; empty for the default. */
    shades: (document.documentElement.dataset.brandShades ?? '').split(' ').filter(Boolean),
    /** Where people find help: `mailto:…` or `https:…`; '' where none is set. */
    support: document.documentElement.dataset.brandSupport ?? '',
  },
  /** Whether the service sends mail: a service without a mail server does not. */
  mail: document.documentElement.dataset.mail !== 'false',
  /** The page's nonce, for styles that are made in the browser. */
  nonce: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '',
};

/** The address of the sign-in page, which leads back to this page afterwards. */
export function signInAddress(): string {
  const { pathname, search } = window.location;
  return `${pageSettings.base_path}/sign-in?return_to=${encodeURIComponent(pathname + search)}`;
}
