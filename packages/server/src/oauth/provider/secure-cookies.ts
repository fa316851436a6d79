import type { Provider } from 'oidc-provider';

/**
 * Lets the library set Secure cookies behind a proxy that ends TLS: only the configuration knows that browsers come over
 * HTTPS (D-930).
 */
export function useOurCookies(provider: Provider, secure: boolean): void {
  provider.use((ctx, next) => {
    ctx.cookies.secure = secure;
    return next();
  });
}
