import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { NotFound } from './screens.tsx';

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  // Nobody sees a screen who is not signed in: a refusal leads to the sign-in page.
  beforeLoad: async ({ context }) => {
    await context.queries.query({ ...sessionQuery, staleTime: 'static' });
  },
  notFoundComponent: NotFound,
});
