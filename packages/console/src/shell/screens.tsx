/** Screens for what is not a screen of a console: loading, not found, forbidden, failed. */
import { Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../api/api-error.ts';
import { ButtonLink } from '../components/page/link.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

function Notice({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <Center component="main" mih="70vh" p="lg">
      <Stack align="center" gap="sm" maw={520}>
        <Title order={1} size="h2" ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center" component="div">
          {children}
        </Text>
        <Group mt="sm">{actions}</Group>
      </Stack>
    </Center>
  );
}

/** Shown while a screen is loading. */
export const Waiting = () => (
  <Center mih="50vh" role="status" aria-label={t('loading')}>
    <Loader />
  </Center>
);

/** An address that leads nowhere, or to something of another person: the service does not say which. */
export const NotFound = () => (
  <Notice
    title={t('page_not_found')}
    actions={<ButtonLink to="/console">{t('go_to_your_merchants')}</ButtonLink>}
  >
    {t('the_address_is_wrong_or_you')}
  </Notice>
);

/** A console that the person may not enter. */
export const Forbidden = ({ children }: { children: ReactNode }) => (
  <Notice title={t('no_access')} actions={<ButtonLink to="/console">{t('go_to_your_merchants')}</ButtonLink>}>
    {children}
  </Notice>
);

/** Any error while a screen was drawn. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { code, status } = error instanceof ApiError ? error : { code: 'page', status: -1 };
  // The browser is leaving for the sign-in page.
  if (code === 'authentication_required') return <Waiting />;
  if (status === 404) return <NotFound />;
  if (status === 403) return <Forbidden>{messageOf(error)}</Forbidden>;
  return (
    <Notice
      title={t('this_page_could_not_be_shown')}
      actions={
        // Only a new page has what an error in this one was about.
        error instanceof ApiError ? (
          <Button
            onClick={() => {
              reset();
              void router.invalidate();
            }}
          >
            {t('try_again')}
          </Button>
        ) : (
          <Button onClick={() => window.location.reload()}>{t('reload')}</Button>
        )
      }
    >
      {messageOf(error)}
    </Notice>
  );
}
