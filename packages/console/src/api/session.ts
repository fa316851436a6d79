import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import { pageSettings } from './page-settings.ts';

/** The person who is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => answerOf(api.GET('/session', { signal })),
  staleTime: 60_000,
});

/** Signs out and goes to the sign-in page. */
export async function signOut(): Promise<void> {
  await answerOf(api.DELETE('/session'));
  window.location.assign(`${pageSettings.base_path}/sign-in`);
}
