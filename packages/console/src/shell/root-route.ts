import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';
import { sessionQuery } from '../api/session.ts';
import { NotFound } from './screens.tsx';

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  // Nobody sees a screen who is not signed in: a refusal leads to the sign-in page.
  beforeLoad: async ({ context }) => {
    try {
      await context.queries.query({ ...sessionQuery, staleTime: 'static' });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'authentication_required')) throw error;
      // The browser is on its way there already (query-client.ts): draw nothing any more.
      await new Promise(() => undefined);
    }
  },
  notFoundComponent: NotFound,
});
