import { Alert, Anchor, Drawer, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { adminCall, type PaymentCase, useAdminList } from '../api/admin.ts';
import { part } from '../api/call.ts';
import { ActionButton } from '../components/action-dialog.tsx';
import { Identifier } from '../components/copy-button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Facts } from '../components/facts.tsx';
import { reasonField, textOf } from '../components/fields.ts';
import { Filters } from '../components/filters.tsx';
import { AppLink } from '../components/link.tsx';
import { Empty } from '../components/loaded.tsx';
import { Amount } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { RawJson } from '../components/raw-json.tsx';
import { Status, words } from '../components/status.tsx';
import { Time } from '../components/time.tsx';
import { pick, useView } from '../components/view-state.ts';
import { kindWords, movesOf, moveWords } from './case-moves.tsx';
import { useMerchantName } from './names.ts';

const filters = [
  {
    kind: 'choice',
    name: 'state',
    label: 'State',
    choices: [
      ['open', 'Open'],
      ['waiting', 'Waiting'],
      ['resolved', 'Resolved'],
    ],
  },
  {
    kind: 'choice',
    name: 'kind',
    label: 'Kind',
    choices: Object.entries(kindWords).map(([kind, [name]]) => [kind, name] as const),
  },
] as const;

const amountOf = ({ amount, amount_minor, currency }: PaymentCase) =>
  amount !== undefined && currency !== undefined ? (
    <Amount amount={amount} currency={currency} />
  ) : amount_minor === undefined ? (
    '–'
  ) : (
    <span className="number">
      {amount_minor} <span className="unit">{currency} in minor units</span>
    </span>
  );

/** What a person has to look at: money and answers that do not fit the books. */
export function CasesScreen() {
  const [view, change] = useView();
  const list = useAdminList<PaymentCase>('/cases', pick(view, ['state', 'kind']));
  const nameOf = useMerchantName();
  const open = ({ case_id }: PaymentCase) => change({ case_id });
  const opened = list.rows.find(({ case_id }) => case_id === view.case_id);
  const columns: Column<PaymentCase>[] = [
    {
      header: 'Case',
      wide: true,
      cell: (one) => (
        <Anchor component="button" type="button" ta="start" size="sm" fw={600} onClick={() => open(one)}>
          {kindWords[one.kind][0]}
        </Anchor>
      ),
    },
    {
      header: 'State',
      cell: ({ state, refund }) => (
        <Status value={state} label={refund?.status === 'pending' ? 'Being refunded' : undefined} />
      ),
    },
    { header: 'Amount', end: true, cell: amountOf },
    {
      header: 'Merchant',
      cell: ({ merchant_no }) => (merchant_no === null ? 'The platform' : nameOf(merchant_no)),
    },
    { header: 'Order', cell: ({ order_no }) => <span className="identifier">{order_no ?? '–'}</span> },
    { header: 'Opened', cell: ({ opened_at }) => <Time at={opened_at} show="ago" /> },
    { header: 'Resolved', cell: ({ resolution }) => (resolution === null ? '–' : words(resolution)) },
  ];
  return (
    <Page
      title="Review and cases"
      about="Money and answers of providers that do not fit the books. Each waits for a decision with a reason."
    >
      <Filters filters={filters} />
      <DataTable
        name="Cases"
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ case_id }) => case_id}
        onOpen={open}
        empty={<Empty title="Nothing to decide">Everything that came in fits.</Empty>}
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => change({ case_id: '' })}
        position="right"
        size="xl"
        title={<Text fw={650}>{opened === undefined ? '' : kindWords[opened.kind][0]}</Text>}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== undefined && <Details of={opened} />}
      </Drawer>
    </Page>
  );
}

/** What was asked of the provider and what it has, side by side. */
function Details({ of }: { of: PaymentCase }) {
  const { order_no, detail } = of;
  const { why, asked, seen } = detail as { why?: string; asked?: object; seen?: object };
  return (
    <Stack gap="lg">
      <Alert color="orange" variant="light" title={kindWords[of.kind][1]}>
        {why}
      </Alert>
      {of.state === 'open' && of.refund === null && <Moves of={of} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Side title="What was asked for" of={asked} />
        <Side title="What the provider has" of={seen} />
      </SimpleGrid>
      <Facts
        of={[
          ['Case', <Identifier key="case" value={of.case_id} name="case number" />],
          ['State', <Status key="state" value={of.state} />],
          ['Amount', amountOf(of)],
          ['Booked to suspense', of.booked ? 'Yes' : 'No'],
          [
            'Order',
            order_no === undefined ? undefined : (
              <AppLink key="order" to="/platform/orders/$order_no" params={{ order_no }}>
                {order_no}
              </AppLink>
            ),
          ],
          ['Session', of.session_id],
          ['Payment at the provider', of.provider_payment_id],
          ['Opened', <Time key="opened" at={of.opened_at} />],
          ['Paid', <Time key="paid" at={of.paid_at} />],
          ['Resolved', <Time key="resolved" at={of.resolved_at} />],
          ['Decision', of.resolution === null ? undefined : words(of.resolution)],
          ['Reason', of.reason ?? undefined],
          ['Refund', of.refund === null ? undefined : words(of.refund.status)],
        ]}
      />
      <RawJson value={of} name="case as JSON" />
    </Stack>
  );
}

const Side = ({ title, of }: { title: string; of: object | undefined }) => (
  <div>
    <Title order={3} size="h6" mb={6}>
      {title}
    </Title>
    {of === undefined ? (
      <Text size="sm" c="dimmed">
        Nothing is known
      </Text>
    ) : (
      <Facts of={Object.entries(of).map(([name, value]) => [words(name), String(value)] as const)} />
    )}
  </div>
);

/** The moves that a case of this kind allows. */
function Moves({ of }: { of: PaymentCase }) {
  return (
    <Group>
      {movesOf[of.kind].map((action) => {
        const [label, consequences] = moveWords[action];
        return (
          <ActionButton
            key={action}
            label={label}
            icon={<IconScale size={16} />}
            title={label}
            confirm={label}
            danger={action === 'refund'}
            fields={[reasonField]}
            consequences={() => consequences}
            submit={(values) =>
              adminCall<PaymentCase>('POST', `/cases/${part(of.case_id)}/resolution`, {
                body: { action, reason: textOf(values, 'reason') },
              })
            }
            done={({ state }) => (state === 'resolved' ? 'The case is resolved.' : 'It is under way.')}
          />
        );
      })}
    </Group>
  );
}
