/** The route above all others: it requires a signed-in person. */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';
import { sessionQuery } from '../api/session.ts';
import { NotFound } from './screens.tsx';

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  // Screens need a signed-in person: a refusal leads to the sign-in page.
  beforeLoad: async ({ context }) => {
    try {
      await context.queries.query({ ...sessionQuery, staleTime: 'static' });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'authentication_required')) throw error;
      // The browser is leaving for the sign-in page (query-client.ts): draw nothing.
      await new Promise(() => undefined);
    }
  },
  notFoundComponent: NotFound,
});
