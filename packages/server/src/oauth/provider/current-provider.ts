/** The authorization server with the key that signs now. The library takes its keys once, so each key has a server. */
import type { Provider } from 'oidc-provider';
import { type CallLibrary, libraryCaller } from './call-library.ts';
import { loadLibrary } from './load-library.ts';
import { createProvider, type ProviderDeps } from './provider.ts';
import type { SigningKeys } from './signing-keys.ts';

/** All servers are the same except for the key: the next one continues with what another has stored. */
export interface CurrentProvider {
  provider: () => Promise<Provider>;
  call: CallLibrary;
}

export function createCurrentProvider(
  deps: ProviderDeps,
  keys: Pick<SigningKeys, 'current'>,
): CurrentProvider {
  let live: { kid: string; provider: Provider; call: CallLibrary } | null = null;
  const current = async () => {
    await loadLibrary();
    const key = await keys.current();
    if (live?.kid !== key.kid) {
      const provider = createProvider(deps, key);
      live = { kid: key.kid, provider, call: libraryCaller(provider) };
    }
    return live;
  };
  return {
    provider: async () => (await current()).provider,
    call: async (req, res) => (await current()).call(req, res),
  };
}
