/** How the consoles read: when a read is repeated, and what happens when the session has ended. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { isFormOpen } from './open-forms.ts';
import { pageSettings, signInAddress } from './page-settings.ts';

/**
 * Leads a person whose session has ended to the sign-in page, which leads back here; and a person who needs a second
 * factor first to the account page. A form stays, and says where to sign in once it is sent.
 */
function leave(error: unknown): void {
  if (!(error instanceof ApiError)) return;
  if (error.code === 'authentication_required' && !isFormOpen()) window.location.assign(signInAddress());
  if (error.code === 'second_factor_setup_required') {
    window.location.assign(`${pageSettings.base_path}/account#factor`);
  }
}

/** Whether repeating a read may help: no answer came, or the service is busy. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);

/**
 * A call without a network fails at once. Else it would wait, and a change would be made once the network is back, when nobody
 * looks any more (D-1176). The service may also be on this machine.
 */
const withoutNetwork = { networkMode: 'always' } as const;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leave }),
  mutationCache: new MutationCache({ onError: leave }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
      throwOnError: false,
      ...withoutNetwork,
      refetchOnReconnect: true,
    },
    mutations: { retry: false, ...withoutNetwork },
  },
});
