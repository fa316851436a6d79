/** The screen of everyone with an account. */
import { Anchor, Badge, Drawer, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { adminCall, adminQuery, type Person, type PersonWallet, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import {
  isDecimal,
  ptkField,
  ptkOf,
  reasonField,
  referenceField,
  textOf,
} from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Ptk } from '../../components/values/money.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { AccountActions } from './account-actions.tsx';
import { roleField, roleIn, roleWords } from './roles.ts';

const columnsOf = (open: (person: Person) => void): Column<Person>[] => [
  {
    header: 'Name',
    wide: true,
    cell: (person) => (
      <Anchor component="button" type="button" ta="start" fw={600} size="sm" onClick={() => open(person)}>
        <span className="wrap">{person.name}</span>
      </Anchor>
    ),
  },
  { header: 'E-mail', cell: ({ email }) => <span className="wrap">{email}</span> },
  {
    header: 'Role',
    cell: ({ role, disabled }) => (
      <Group gap={6}>
        {role === 'user' ? (
          roleWords[role]
        ) : (
          <Badge variant="light" color="grape" tt="none">
            {roleWords[role]}
          </Badge>
        )}
        {disabled && <Status value="disabled" />}
      </Group>
    ),
  },
  { header: 'Since', cell: ({ created_at }) => <Time at={created_at} show="day" /> },
];

export function PeopleScreen() {
  const [view] = useView();
  const list = useAdminList<Person>('/users', pick(view, ['q']));
  const [opened, setOpened] = useState<Person | null>(null);
  return (
    <Page
      title="People"
      about="One account serves for buying, for selling and for administration."
      actions={<NewPerson />}
    >
      <Filters
        filters={[
          { kind: 'search', name: 'q', label: 'Find', placeholder: 'How a name or an address begins' },
        ]}
      />
      <DataTable
        name="People"
        columns={columnsOf(setOpened)}
        rows={list.rows}
        list={list}
        rowKey={({ user_id }) => user_id}
        onOpen={setOpened}
        empty={<Empty title={view.q === undefined ? 'Nobody yet' : 'Nobody is called that'} />}
      />
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size="lg"
        title={<Text fw={650}>{opened?.name}</Text>}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== null && <Details person={opened} />}
      </Drawer>
    </Page>
  );
}

function Details({ person: shown }: { person: Person }) {
  const { user_id } = shown;
  const { data: person = shown } = useQuery(adminQuery<Person>(`/users/${part(user_id)}`));
  const wallet = useQuery(adminQuery<PersonWallet>(`/users/${part(user_id)}/wallet`));
  return (
    <Stack>
      <Facts
        of={[
          ['E-mail', person.email],
          ['Role', roleWords[person.role]],
          ['State', <Status key="state" value={person.disabled ? 'disabled' : 'enabled'} />],
          ['Person', <Identifier key="id" value={user_id} />],
          ['Since', <Time key="since" at={person.created_at} />],
          [
            'Available',
            <Loaded key="wallet" of={wallet} lines={1}>
              {({ available_ptk }) => <Ptk minor={available_ptk} />}
            </Loaded>,
          ],
        ]}
      />
      <div>
        <PlatformAction
          allows="money"
          label="Top up"
          icon={<IconWallet size={16} />}
          title={`Top up ${person.name}`}
          confirm="Top up"
          fields={[
            ptkField(),
            {
              name: 'currency',
              label: 'Received in currency',
              placeholder: 'USD',
              about: 'Empty: nothing was paid.',
            },
            {
              name: 'amount',
              label: 'Received amount',
              placeholder: '100.00',
              when: (values) => textOf(values, 'currency') !== '',
              required: true,
              check: (value) => isDecimal(value),
            },
            referenceField,
            reasonField,
          ]}
          consequences={() => ['The PTK are available at once, and may be spent at every merchant.']}
          submit={(values) =>
            adminCall<PersonWallet>('POST', `/users/${part(user_id)}/ptk-top-ups`, {
              body: {
                amount_ptk: ptkOf(values),
                reference: textOf(values, 'reference'),
                reason: textOf(values, 'reason'),
                ...(textOf(values, 'currency') === ''
                  ? {}
                  : { paid: { currency: textOf(values, 'currency'), amount: textOf(values, 'amount') } }),
              },
            })
          }
          done={() => 'Topped up.'}
        />
      </div>
      <AccountActions person={person} />
    </Stack>
  );
}

const NewPerson = () => (
  <PlatformAction
    allows="administer"
    label="New person"
    variant="filled"
    icon={<IconPlus size={16} />}
    title="New person"
    confirm="Create"
    fields={[
      { name: 'name', label: 'Name', required: true },
      { name: 'email', label: 'E-mail', required: true },
      {
        name: 'password',
        label: 'Password',
        kind: 'password',
        required: true,
        about: 'At least 10 characters, not a common password. Tell it over another way.',
      },
      roleField('user'),
    ]}
    consequences={(values) =>
      roleIn(values) === 'admin' ? ['An administrator may move money, and see everything.'] : []
    }
    submit={(values) =>
      adminCall<Person>('POST', '/users', {
        body: {
          name: textOf(values, 'name'),
          email: textOf(values, 'email'),
          password: typeof values.password === 'string' ? values.password : '',
          role: roleIn(values),
        },
      })
    }
    done={({ name }) => `${name} can sign in.`}
  />
);
