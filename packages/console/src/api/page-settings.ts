/** The settings that the server wrote into the page. */
export const pageSettings = {
  /** The path prefix of the service: '' or '/pay'. */
  base_path: document.documentElement.dataset.basePath ?? '',
  /** The page's nonce, for styles that are made in the browser. */
  nonce: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '',
};

/** The address of the sign-in page, which leads back to this page afterwards. */
export function signInAddress(): string {
  const { pathname, search } = window.location;
  return `${pageSettings.base_path}/sign-in?return_to=${encodeURIComponent(pathname + search)}`;
}
