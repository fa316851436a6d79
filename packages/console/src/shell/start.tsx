import { Avatar, Container, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { ownMerchantsQuery } from '../api/merchants.ts';
import { pageSettings } from '../api/page-settings.ts';
import { sessionQuery } from '../api/session.ts';
import { ButtonLink } from '../components/page/link.tsx';
import { Empty, Loaded } from '../components/page/loaded.tsx';
import { Status, words } from '../components/values/status.tsx';
import { Brand } from './brand.tsx';
import { initialsOf } from './initials.ts';
import { useScreen } from './load-later.ts';
import { PersonMenu } from './person-menu.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

/** The first page: the merchants to choose from. A person with only one merchant is taken there. */
export function Start() {
  useScreen();
  const merchants = useQuery(ownMerchantsQuery);
  const { data: person } = useQuery(sessionQuery);
  const isStaff = person !== undefined && person.role !== 'user';
  const only = merchants.data?.items.length === 1 ? merchants.data.items[0] : undefined;
  if (only !== undefined && !isStaff) {
    return (
      <Navigate to="/console/merchants/$merchant_no" params={{ merchant_no: only.merchant_no }} replace />
    );
  }
  return (
    <Container size="md" py="md" component="main" mih="100vh">
      <title>{t('title_name', { title: t('your_merchants'), name: pageSettings.brand.name })}</title>
      <Group justify="space-between" mb={48}>
        <Brand side={t('start')} />
        <Group gap="xs">
          <SchemeSwitch />
          <PersonMenu />
        </Group>
      </Group>
      <Stack gap="lg">
        <Group justify="space-between">
          <Title order={1} size="h2">
            {t('your_merchants')}
          </Title>
          {isStaff && <ButtonLink to="/platform">{t('platform_administration')}</ButtonLink>}
        </Group>
        <Loaded of={merchants}>
          {({ items }) =>
            items.length === 0 ? (
              <Paper className="panel">
                <Empty title={t('no_merchants_yet')}>{t('the_platform_creates_merchants_and_owners')}</Empty>
              </Paper>
            ) : (
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                {items.map(({ merchant_no, name, logo_path, role, status }) => (
                  <Paper
                    key={merchant_no}
                    className="panel choice"
                    p="md"
                    renderRoot={(props) => (
                      <Link {...props} to="/console/merchants/$merchant_no" params={{ merchant_no }} />
                    )}
                  >
                    <Group wrap="nowrap">
                      <Avatar src={logo_path} radius="md" size={46} color="brand" alt="">
                        {initialsOf(name, 1)}
                      </Avatar>
                      <div>
                        <Text fw={650} className="wrap">
                          {name}
                        </Text>
                        <Text size="sm" c="dimmed">
                          {words(role)}
                        </Text>
                      </div>
                      {status === 'inactive' && <Status value="inactive" />}
                    </Group>
                  </Paper>
                ))}
              </SimpleGrid>
            )
          }
        </Loaded>
      </Stack>
    </Container>
  );
}
