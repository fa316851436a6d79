/** The screen of the merchant's wallet: its balances, and every movement. */
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import type { WalletLine } from '../../api/merchants.ts';
import { merchantPath } from '../../api/merchants.ts';
import { CsvExport } from '../../components/list/csv-export.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { type Filter, Filters, instantOf } from '../../components/list/filters.tsx';
import { useView } from '../../components/list/view-state.ts';
import { WalletTiles } from '../../components/merchant/wallet.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { words } from '../../components/values/status.tsx';
import { useMerchantNo } from '../merchant-no.ts';
import { RefundNote } from '../orders/refund-note.tsx';
import { lineColumns } from './line-columns.tsx';
import { StatementsPanel } from './statements-panel.tsx';
import { Worth } from './worth.tsx';
import { ReleasesPanel } from './releases.tsx';

const accounts = [
  'available',
  'held',
  'frozen',
  'guarantee',
  'fee_reserved',
  'withdrawal_pending',
  'credit_drawn',
  'recovery',
] as const;

const filters: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'account',
    label: 'Account',
    choices: accounts.map((one) => [one, words(one)] as const),
  },
  { kind: 'period', from: 'from', until: 'until', label: 'Booked' },
];

export function WalletScreen() {
  const merchant_no = useMerchantNo();
  const [view] = useView();
  const wallet = useQuery({
    queryKey: ['merchant', merchant_no, 'wallet'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/wallet', { params: { path: { merchant_no } }, signal }),
      ),
  });
  const query = {
    account: view.account as (typeof accounts)[number] | undefined,
    from: instantOf(view.from, 'from'),
    to: instantOf(view.until, 'until'),
  };
  const statement = useList<WalletLine>(['merchant', merchant_no, 'statement', query], (page, signal) =>
    answerOf(
      api.GET('/console/v1/merchants/{merchant_no}/wallet/statement', {
        params: { path: { merchant_no }, query: { ...query, ...page } },
        signal,
      }),
    ),
  );
  return (
    <Page title="Wallet" about="What you have in PTK, what it is bound to, and how it came there.">
      <Loaded of={wallet}>
        {(known) => (
          <>
            <WalletTiles wallet={known} />
            <Worth merchant_no={merchant_no} wallet={known} />
          </>
        )}
      </Loaded>
      <StatementsPanel merchant_no={merchant_no} />
      <RefundNote />
      <ReleasesPanel merchant_no={merchant_no} />
      <Panel
        title="Statement"
        actions={<CsvExport path={merchantPath(merchant_no, '/wallet/statement')} query={query} />}
      >
        <Filters filters={filters} />
        <DataTable
          name="Statement"
          columns={[...lineColumns, aboutColumn(merchant_no)]}
          rows={statement.rows}
          list={statement}
          rowKey={({ line_id }) => line_id}
          empty={<Empty title="No movement" />}
        />
      </Panel>
    </Page>
  );
}

const aboutColumn = (merchant_no: string): Column<WalletLine> => ({
  header: 'About',
  cell: ({ about, subject }) =>
    about === 'order' && subject.startsWith('mp_') ? (
      <AppLink
        to="/console/merchants/$merchant_no/orders/$order_no"
        params={{ merchant_no, order_no: subject }}
        size="sm"
      >
        Order
      </AppLink>
    ) : (
      <span className="identifier">{subject}</span>
    ),
});
