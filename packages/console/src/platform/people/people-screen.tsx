/** The screen of everyone with an account. */
import { Badge, Group, Stack } from '@mantine/core';
import { IconPlus, IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { adminCall, adminQuery, type Person, type PersonWallet, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import {
  currencyOf,
  ptkField,
  ptkOf,
  reasonField,
  referenceField,
  textOf,
} from '../../components/dialog/fields.ts';
import { DrawerLink, SideDrawer } from '../../components/dialog/side-drawer.tsx';
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
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-merchants');

const columnsOf = (open: (person: Person) => void): Column<Person>[] => [
  {
    header: t('name'),
    wide: true,
    cell: (person) => (
      <DrawerLink onClick={() => open(person)}>
        <span className="wrap">{person.name}</span>
      </DrawerLink>
    ),
  },
  { header: t('email'), cell: ({ email }) => <span className="wrap">{email}</span> },
  {
    header: t('role'),
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
  { header: t('since'), cell: ({ created_at }) => <Time at={created_at} show="day" /> },
];

export function PeopleScreen() {
  const [view] = useView();
  const list = useAdminList<Person>('/users', pick(view, ['q']));
  const [opened, setOpened] = useState<Person | null>(null);
  return (
    <Page title={t('people')} about={t('one_account_is_used_for_buying')} actions={<NewPerson />}>
      <Filters
        filters={[
          { kind: 'search', name: 'q', label: t('find'), placeholder: t('beginning_of_a_name_or_email') },
        ]}
      />
      <DataTable
        name={t('people')}
        columns={columnsOf(setOpened)}
        rows={list.rows}
        list={list}
        rowKey={({ user_id }) => user_id}
        onOpen={setOpened}
        empty={<Empty title={view.q === undefined ? t('no_people_yet') : t('no_matching_people')} />}
      />
      <SideDrawer opened={opened !== null} onClose={() => setOpened(null)} title={opened?.name}>
        {opened !== null && <Details person={opened} />}
      </SideDrawer>
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
          [t('email'), person.email],
          [t('role'), roleWords[person.role]],
          [t('status_2'), <Status key="state" value={person.disabled ? 'disabled' : 'enabled'} />],
          [t('person'), <Identifier key="id" value={user_id} name={t('person')} />],
          [t('since'), <Time key="since" at={person.created_at} />],
          [
            t('available'),
            <Loaded key="wallet" of={wallet} lines={1}>
              {({ available_ptk }) => <Ptk minor={available_ptk} />}
            </Loaded>,
          ],
        ]}
      />
      <div>
        <PlatformAction
          allows="money"
          label={t('top_up')}
          icon={<IconWallet size={16} />}
          title={t('top_up_name', { name: person.name })}
          confirm={t('top_up')}
          fields={[
            ptkField(),
            {
              name: 'currency',
              label: t('currency_received'),
              placeholder: 'USD',
              about: t('leave_empty_if_no_payment_was'),
            },
            {
              name: 'amount',
              label: t('amount_received'),
              placeholder: '100.00',
              when: (values) => textOf(values, 'currency') !== '',
              required: true,
              kind: 'amount',
            },
            referenceField,
            reasonField,
          ]}
          consequences={() => [t('the_amount_is_available_at_once')]}
          submit={(values) =>
            adminCall<PersonWallet>('POST', `/users/${part(user_id)}/ptk-top-ups`, {
              body: {
                amount_ptk: ptkOf(values),
                reference: textOf(values, 'reference'),
                reason: textOf(values, 'reason'),
                ...(textOf(values, 'currency') === ''
                  ? {}
                  : { paid: { currency: currencyOf(values), amount: textOf(values, 'amount') } }),
              },
            })
          }
          done={() => t('wallet_topped_up')}
        />
      </div>
      <AccountActions person={person} />
    </Stack>
  );
}

const NewPerson = () => (
  <PlatformAction
    allows="administer"
    label={t('new_person')}
    variant="filled"
    icon={<IconPlus size={16} />}
    title={t('new_person')}
    confirm={t('create')}
    fields={[
      { name: 'name', label: t('name'), required: true },
      { name: 'email', label: t('email'), kind: 'email', required: true },
      {
        name: 'password',
        label: t('password'),
        kind: 'password',
        required: true,
        about: t('at_least_10_characters_not_a'),
      },
      roleField('user'),
    ]}
    consequences={(values) => (roleIn(values) === 'admin' ? [t('an_administrator_can_move_money_and')] : [])}
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
    done={({ name }) => t('name_was_created_and_can_sign', { name })}
  />
);
