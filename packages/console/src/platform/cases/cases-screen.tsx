/**
 * The cases that a person decides: money and answers that do not match the books. Only the actions that a case allows
 * are offered.
 */
import { Alert, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { adminCall, adminQuery, type CaseDetail, type PaymentCase, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction, PlatformExport } from '../allowed.tsx';
import { type Field, optional, reasonField, textOf } from '../../components/dialog/fields.ts';
import { DrawerLink, SideDrawer } from '../../components/dialog/side-drawer.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Amount } from '../../components/values/money.tsx';
import { RawJson } from '../../components/values/raw-json.tsx';
import { words } from '../../components/values/status.tsx';
import { MarkedStatus } from '../../components/values/test-mark.tsx';
import { Time } from '../../components/values/time.tsx';
import { amountText, decimalOf } from '../../money/money.ts';
import { useCurrencies, useMerchantName } from '../lookups.ts';
import { OrderLink } from '../orders/order-link.tsx';
import { kindWords, moveWords } from './case-moves.tsx';
import { memberWords, reasonWords } from './case-words.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-orders');

const filters = [
  {
    kind: 'choice',
    name: 'state',
    label: t('status_2'),
    choices: [
      ['open', t('open')],
      ['waiting', t('waiting')],
      ['resolved', t('resolved')],
    ],
  },
  {
    kind: 'choice',
    name: 'kind',
    label: t('type'),
    choices: Object.entries(kindWords).map(([kind, [name]]) => [kind, name] as const),
  },
] as const;

type Money = Pick<PaymentCase, 'amount' | 'amount_minor' | 'currency'>;

const amountOf = ({ amount, amount_minor, currency }: Money) =>
  amount !== undefined && currency !== undefined ? (
    <Amount amount={amount} currency={currency} />
  ) : amount_minor === undefined ? (
    '–'
  ) : (
    <span className="number">
      {amount_minor}{' '}
      <span className="unit">{t('currency_in_minor_units', { currency: currency ?? '' })}</span>
    </span>
  );

export function CasesScreen() {
  const [view, change] = useView();
  const query = pick(view, ['state', 'kind']);
  const list = useAdminList<PaymentCase>('/cases', query);
  const nameOf = useMerchantName();
  const open = ({ case_id }: PaymentCase) => change({ case_id });
  // A link may lead to a case that is not on the pages loaded so far.
  const opened = useQuery({
    ...adminQuery<CaseDetail>(`/cases/${part(view.case_id ?? '')}`),
    enabled: view.case_id !== undefined,
  });
  const columns: Column<PaymentCase>[] = [
    {
      header: t('case'),
      wide: true,
      cell: (one) => <DrawerLink onClick={() => open(one)}>{kindWords[one.kind][0]}</DrawerLink>,
    },
    {
      header: t('status_2'),
      cell: ({ state, refund, test_mode }) => (
        <MarkedStatus
          value={state}
          label={refund?.status === 'pending' ? t('being_refunded') : undefined}
          test={test_mode}
        />
      ),
    },
    { header: t('amount'), end: true, cell: amountOf },
    {
      header: t('merchant'),
      cell: ({ merchant_no }) => (merchant_no === null ? t('platform') : nameOf(merchant_no)),
    },
    { header: t('order'), cell: ({ order_no }) => <span className="identifier">{order_no ?? '–'}</span> },
    { header: t('opened'), cell: ({ opened_at }) => <Time at={opened_at} show="ago" /> },
    { header: t('resolved'), cell: ({ resolution }) => (resolution === null ? '–' : words(resolution)) },
  ];
  return (
    <Page
      title={t('review_and_cases')}
      about={t('money_and_provider_responses_that_do')}
      actions={<PlatformExport path="/admin/v1/cases" query={query} />}
    >
      <Filters filters={filters} />
      <DataTable
        name={t('cases')}
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ case_id }) => case_id}
        onOpen={open}
        empty={<Empty title={t('no_open_cases')}>{t('all_money_received_matches_the_books')}</Empty>}
      />
      <SideDrawer
        opened={view.case_id !== undefined}
        onClose={() => change({ case_id: '' })}
        title={opened.data === undefined ? t('case') : kindWords[opened.data.kind][0]}
      >
        {view.case_id !== undefined && <Loaded of={opened}>{(one) => <Details of={one} />}</Loaded>}
      </SideDrawer>
    </Page>
  );
}

/** The same as text, for a sentence. */
const moneyText = ({ amount, amount_minor = '', currency = '' }: Money): string =>
  amount === undefined
    ? `${amount_minor} ${t('currency_in_minor_units', { currency })}`
    : amountText(amount, currency);

/** Whether the provider has refused a refund, so that the money may be paid back by bank. */
const wasRefused = ({ allowed_actions }: CaseDetail): boolean => allowed_actions.includes('repay');

/** What lost disputes have taken of the receipt: the rest is what can still be returned. */
function lostOf({ amount, currency, detail }: CaseDetail) {
  const { lost_parts = [] } = detail as { lost_parts?: readonly { amount: string }[] };
  if (lost_parts.length === 0 || amount === undefined || currency === undefined) return undefined;
  const lost = lost_parts.reduce((sum, part) => sum + BigInt(part.amount), 0n);
  const decimals = amount.split('.')[1]?.length ?? 0;
  return <Amount key="lost" amount={decimalOf(lost, decimals)} currency={currency} />;
}

/** Whether the case holds less than was received: an order was paid with a part, or a part has gone back. */
const isPart = ({ left, amount_minor }: CaseDetail): boolean => left?.amount_minor !== amount_minor;

/** What Paydesk requested and what the provider has, side by side. */
function Details({ of }: { of: CaseDetail }) {
  const { order_no, detail, allowed_actions } = of;
  const { why, last, asked, seen } = detail as Partial<Record<'why' | 'last', string>> & {
    asked?: object;
    seen?: object;
  };
  return (
    <Stack gap="lg">
      <Alert color="orange" variant="light" title={kindWords[of.kind][1]}>
        {reasonWords(of.kind, why)}
      </Alert>
      {wasRefused(of) && (
        <Alert color="red" variant="light" title={t('the_provider_has_not_refunded')}>
          {last !== undefined && <Text size="sm">{t('its_answer', { answer: last })}</Text>}
          <Text size="sm">{t('try_again_or_pay_by_bank')}</Text>
        </Alert>
      )}
      {allowed_actions.length > 0 && <Moves of={of} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Side title={t('requested')} of={asked} />
        <Side title={t('reported_by_the_provider')} of={seen} />
      </SimpleGrid>
      <Facts
        of={[
          [t('case'), <Identifier key="case" value={of.case_id} name={t('case_id')} />],
          [t('status_2'), <MarkedStatus key="state" value={of.state} test={of.test_mode} />],
          [t('amount'), amountOf(of)],
          [t('lost'), lostOf(of)],
          [t('left'), isPart(of) && of.left !== undefined ? amountOf(of.left) : undefined],
          [t('booked_to_suspense'), of.booked ? t('yes') : t('no')],
          [t('order'), order_no === undefined ? undefined : <OrderLink key="order" order_no={order_no} />],
          [t('payment_page'), of.session_id],
          [t('payment_at_the_provider'), of.provider_payment_id],
          [t('opened'), <Time key="opened" at={of.opened_at} />],
          [t('paid'), <Time key="paid" at={of.paid_at} />],
          [t('resolved'), <Time key="resolved" at={of.resolved_at} />],
          [t('decision'), of.resolution === null ? undefined : words(of.resolution)],
          [t('reason'), of.reason ?? undefined],
          [t('refund'), of.refund === null ? undefined : words(of.refund.status)],
        ]}
      />
      <RawJson value={of} name={t('case_as_json')} />
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
          {t('no_details')}
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
          t('amount'),
          isKnown ? (
            <Amount key="amount" amount={decimalOf(BigInt(amount), decimals)} currency={String(currency)} />
          ) : undefined,
        ],
        ...Object.entries(rest).map(([name, value]) => [memberWords(name), saidOf(value)] as const),
      ]}
    />
  );
}

const saidOf = (value: string | boolean | null): string =>
  value === null ? '–' : value === true ? t('yes') : value === false ? t('no') : value;

/** What a lost dispute in another currency has taken of the money, which a person says (D-907). */
const lossFields = (of: CaseDetail): Field[] =>
  wasRefused(of) && of.left?.amount !== undefined
    ? [
        {
          name: 'loss_amount',
          label: t('loss'),
          unit: of.left.currency ?? '',
          kind: 'amount',
          about: t('leave_empty_if_all_of_it_is_lost'),
        },
      ]
    : [];

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
            fields={action === 'close' ? [...lossFields(of), reasonField] : [reasonField]}
            consequences={() => consequences(moneyText(of.left ?? of))}
            submit={(values) =>
              adminCall<PaymentCase>('POST', `/cases/${part(of.case_id)}/resolution`, {
                body: { action, reason: textOf(values, 'reason'), ...optional(values, 'loss_amount') },
              })
            }
            done={({ state, refund }) => {
              if (state === 'resolved') return t('case_resolved');
              if (action === 'close') return t('the_loss_is_booked');
              // The provider has answered, and no refund is under way.
              const isRefused = action === 'refund' && refund === null;
              return isRefused ? { warning: `${t('the_provider_has_not_refunded')}.` } : t('in_progress');
            }}
          />
        );
      })}
    </Group>
  );
}
