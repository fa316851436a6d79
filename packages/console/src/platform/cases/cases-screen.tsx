/**
 * The cases that a person decides: money and answers that do not match the books. Only the actions that a case allows
 * are offered.
 */
import { Alert, Anchor, Drawer, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { adminCall, adminQuery, type CaseDetail, type PaymentCase, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { reasonField, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Amount } from '../../components/values/money.tsx';
import { RawJson } from '../../components/values/raw-json.tsx';
import { Status, words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { decimalOf } from '../../money/money.ts';
import { useCurrencies, useMerchantName } from '../lookups.ts';
import { OrderLink } from '../orders/order-link.tsx';
import { kindWords, moveWords } from './case-moves.tsx';

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

export function CasesScreen() {
  const [view, change] = useView();
  const list = useAdminList<PaymentCase>('/cases', pick(view, ['state', 'kind']));
  const nameOf = useMerchantName();
  const open = ({ case_id }: PaymentCase) => change({ case_id });
  // A link may lead to a case that is not on the pages loaded so far.
  const opened = useQuery({
    ...adminQuery<CaseDetail>(`/cases/${part(view.case_id ?? '')}`),
    enabled: view.case_id !== undefined,
  });
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
        opened={view.case_id !== undefined}
        onClose={() => change({ case_id: '' })}
        position="right"
        size="xl"
        title={<Text fw={650}>{opened.data === undefined ? 'Case' : kindWords[opened.data.kind][0]}</Text>}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {view.case_id !== undefined && <Loaded of={opened}>{(one) => <Details of={one} />}</Loaded>}
      </Drawer>
    </Page>
  );
}

/** What was asked of the provider and what the provider has, side by side. */
function Details({ of }: { of: CaseDetail }) {
  const { order_no, detail, allowed_actions } = of;
  const { why, asked, seen } = detail as { why?: string; asked?: object; seen?: object };
  return (
    <Stack gap="lg">
      <Alert color="orange" variant="light" title={kindWords[of.kind][1]}>
        {why}
      </Alert>
      {allowed_actions.length > 0 && <Moves of={of} />}
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
          ['Order', order_no === undefined ? undefined : <OrderLink key="order" order_no={order_no} />],
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

function Side({ title, of }: { title: string; of: object | undefined }) {
  return (
    <div>
      <Title order={3} size="h6" mb={6}>
        {title}
      </Title>
      {of === undefined ? (
        <Text size="sm" c="dimmed">
          Nothing is known
        </Text>
      ) : (
        <SideFacts of={of as SideMembers} />
      )}
    </div>
  );
}

type SideMembers = Readonly<Record<string, string | boolean | null>>;

/** Providers count in minor units; this shows decimals. */
function SideFacts({ of }: { of: SideMembers }) {
  const currencies = useCurrencies();
  const { amount, currency, ...members } = of;
  const decimals = currencies.find(({ code }) => code === currency)?.decimals;
  const isKnown = typeof amount === 'string' && /^\d+$/.test(amount) && decimals !== undefined;
  const rest = isKnown ? members : of;
  return (
    <Facts
      of={[
        [
          'Amount',
          isKnown ? (
            <Amount key="amount" amount={decimalOf(BigInt(amount), decimals)} currency={String(currency)} />
          ) : undefined,
        ],
        ...Object.entries(rest).map(([name, value]) => [words(name), saidOf(value)] as const),
      ]}
    />
  );
}

const saidOf = (value: string | boolean | null): string =>
  value === null ? '–' : value === true ? 'Yes' : value === false ? 'No' : value;

/** The resolutions that the case allows now. */
function Moves({ of }: { of: CaseDetail }) {
  return (
    <Group>
      {of.allowed_actions.map((action) => {
        const [label, consequences] = moveWords[action];
        return (
          <PlatformAction
            allows="cases"
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
