/** What the server wrote into the page. */
export const pageSettings = {
  /** The path prefix of the service: '' or '/pay'. */
  base_path: document.documentElement.dataset.basePath ?? '',
  /** The page's nonce, which styles that are made here must carry. */
  nonce: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '',
};

/** The sign-in page, and back here afterwards. */
export function signInAddress(): string {
  const { pathname, search } = window.location;
  return `${pageSettings.base_path}/sign-in?return_to=${encodeURIComponent(pathname + search)}`;
}
