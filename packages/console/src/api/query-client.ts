import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { signInAddress } from './page-settings.ts';

/** Whoever is no longer signed in signs in, and comes back to where they were. */
function signInAgain(error: unknown): void {
  if (error instanceof ApiError && error.code === 'authentication_required') {
    window.location.assign(signInAddress());
  }
}

/** Reads are repeated where that can help: nothing is answered, or the service is busy. */
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
