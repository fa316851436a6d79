/** How the consoles read: when a read is repeated, and what happens when the session has ended. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { signInAddress } from './page-settings.ts';

/** Leads a person whose session has ended to the sign-in page, which leads back here. */
function signInAgain(error: unknown): void {
  if (error instanceof ApiError && error.code === 'authentication_required') {
    window.location.assign(signInAddress());
  }
}

/** Whether repeating a read may help: no answer came, or the service is busy. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: signInAgain }),
  mutationCache: new MutationCache({ onError: signInAgain }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
      throwOnError: false,
    },
    mutations: { retry: false },
  },
});
