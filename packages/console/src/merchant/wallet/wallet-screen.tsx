/** The screen of the merchant's wallet: its balances, and every movement. */
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import type { StatementLine, WalletStatement } from '../../api/merchants.ts';
import { merchantPath } from '../../api/merchants.ts';
import { CsvExport } from '../../components/list/csv-export.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { type Filter, Filters } from '../../components/list/filters.tsx';
import { spanOf } from '../../components/list/period.ts';
import { useView } from '../../components/list/view-state.ts';
import { WalletTiles } from '../../components/merchant/wallet.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Change, Ptk } from '../../components/values/money.tsx';
import { Sum } from '../../components/values/sum.tsx';
import { useMerchantNo } from '../merchant-no.ts';
import { RefundNote } from '../orders/refund-note.tsx';
import { accountName, type WalletAccount, walletAccounts } from './accounts.ts';
import { lineColumns } from './line-columns.tsx';
import { StatementsPanel } from './statements-panel.tsx';
import { Worth } from './worth.tsx';
import { ReleasesPanel } from './releases.tsx';
import { language } from '../../texts/language.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('wallet');
const books = textsOf('ledger');

const filters: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'account',
    label: t('account'),
    choices: walletAccounts.map((one) => [one, accountName(one)] as const),
  },
  { kind: 'period', label: t('booked') },
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
    account: view.account as WalletAccount | undefined,
    ...spanOf(view),
  };
  const statement = useList<StatementLine>(['merchant', merchant_no, 'statement', query], (page, signal) =>
    answerOf(
      api.GET('/console/v1/merchants/{merchant_no}/wallet/statement', {
        params: { path: { merchant_no }, query: { ...query, ...page } },
        signal,
      }),
    ),
  );
  // Only the first page has the sums of all.
  const first: WalletStatement | undefined = statement.query.data?.pages[0];
  const summary = first?.summary;
  return (
    <Page title={t('wallet')} about={t('your_balance_in_ptk_what_it')}>
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
        title={t('statement')}
        actions={
          <CsvExport path={merchantPath(merchant_no, '/wallet/statement')} query={{ ...query, language }} />
        }
      >
        <Filters filters={filters} />
        {summary !== undefined && <Summary of={summary} />}
        <DataTable
          name={t('statement')}
          columns={[...lineColumns, balanceColumn, aboutColumn(merchant_no)]}
          rows={statement.rows}
          list={statement}
          rowKey={({ line_id }) => line_id}
          empty={<Empty title={t('no_movements')}>{t('movements_appear_once')}</Empty>}
        />
      </Panel>
    </Page>
  );
}

/** The sums of all lines, also of lines that are not loaded yet; for a span of time, the parts of the net. */
const Summary = ({ of }: { of: NonNullable<WalletStatement['summary']> }) => (
  <>
    <Sum
      name={t('what_the_lines_add_up_to')}
      of={[
        { name: t('opening_balance'), value: <Ptk minor={of.opening_ptk} /> },
        { name: t('net_of_the_lines_shown'), value: <Change change={of.net_ptk} />, sign: '+' },
        { name: t('closing_balance'), value: <Ptk minor={of.closing_ptk} />, sign: '=' },
      ]}
    />
    {of.parts !== undefined && of.parts.length > 0 && (
      <Sum
        name={books('statement_net_parts')}
        of={[
          ...of.parts.map(({ part, change_ptk }) => {
            return { name: books(`statement_part_${part}`), value: <Change change={change_ptk} /> };
          }),
          { name: t('net_of_the_lines_shown'), value: <Change change={of.net_ptk} />, sign: '=' },
        ]}
      />
    )}
  </>
);

const balanceColumn: Column<StatementLine> = {
  header: t('balance'),
  end: true,
  cell: ({ balance_ptk }) => <Ptk minor={balance_ptk} />,
};

const aboutColumn = (merchant_no: string): Column<StatementLine> => ({
  header: t('about'),
  cell: ({ about, subject }) =>
    about === 'order' && subject.startsWith('mp_') ? (
      <AppLink
        to="/console/merchants/$merchant_no/orders/$order_no"
        params={{ merchant_no, order_no: subject }}
        size="sm"
      >
        {t('order')}
      </AppLink>
    ) : (
      <span className="identifier">{subject}</span>
    ),
});
