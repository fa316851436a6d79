import { Avatar, Container, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { ownMerchantsQuery } from '../api/merchants.ts';
import { sessionQuery } from '../api/session.ts';
import { ButtonLink } from '../components/page/link.tsx';
import { Empty, Loaded } from '../components/page/loaded.tsx';
import { Status, words } from '../components/values/status.tsx';
import { Brand } from './brand.tsx';
import { PersonMenu } from './person-menu.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';

/** The first page: the merchants to choose from. A person with only one merchant is taken there. */
export function Start() {
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
      <title>Your merchants · Paydesk</title>
      <Group justify="space-between" mb={48}>
        <Brand side="start" />
        <Group gap="xs">
          <SchemeSwitch />
          <PersonMenu />
        </Group>
      </Group>
      <Stack gap="lg">
        <Group justify="space-between">
          <Title order={1} size="h2">
            Your merchants
          </Title>
          {isStaff && <ButtonLink to="/platform">Platform administration</ButtonLink>}
        </Group>
        <Loaded of={merchants}>
          {({ items }) =>
            items.length === 0 ? (
              <Paper className="panel">
                <Empty title="No merchant yet">
                  An administrator creates merchants, and an owner lets others in. Ask them to add your e-mail
                  address.
                </Empty>
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
                        {name.charAt(0).toUpperCase()}
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
