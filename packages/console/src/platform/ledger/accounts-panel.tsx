import { Anchor, Button, Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type LedgerAccount, type LedgerEntry, useAdminList } from '../../api/admin.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { useView } from '../../components/list/view-state.ts';
import { Empty } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { accountOf, whatOf } from '../../components/values/ledger-words.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Time } from '../../components/values/time.tsx';
import { merchantFinder } from '../lookups.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-money');

/** The accounts of one book with their balances, and the movements of each. */
export function AccountsPanel() {
  const [view, change] = useView();
  const book = view.book ?? 'platform';
  return (
    <Panel title={t('accounts')} about={t('each_merchant_has_its_own_book')}>
      <Filters
        filters={[
          {
            kind: 'found',
            name: 'book',
            label: t('book'),
            finder: merchantFinder,
            always: [{ value: 'platform', label: t('platform') }],
          },
        ]}
      />
      {view.account === undefined ? (
        <Accounts book={book} open={(account) => change({ account })} />
      ) : (
        <Entries book={book} account={view.account} close={() => change({ account: '' })} />
      )}
    </Panel>
  );
}

function Accounts({ book, open }: { book: string; open: (account: string) => void }) {
  const list = useAdminList<LedgerAccount>('/ledger/accounts', { book });
  const columns: Column<LedgerAccount>[] = [
    {
      header: t('account'),
      wide: true,
      cell: ({ account }) => (
        <Anchor
          component="button"
          type="button"
          ta="start"
          size="sm"
          className="identifier"
          onClick={() => open(account)}
        >
          {account}
        </Anchor>
      ),
    },
    { header: t('type'), cell: ({ account, about }) => accountOf(account, about) },
    {
      header: t('balance'),
      end: true,
      cell: ({ balance, currency }) => <Amount amount={balance} currency={currency} />,
    },
  ];
  return (
    <DataTable
      name={t('accounts')}
      columns={columns}
      rows={list.rows}
      list={list}
      rowKey={({ account, currency }) => `${account} ${currency}`}
      onOpen={({ account }) => open(account)}
      empty={<Empty title={t('no_postings_in_this_book_yet')} />}
    />
  );
}

const entryColumns: Column<LedgerEntry>[] = [
  { header: t('entry'), wide: true, cell: whatOf },
  { header: t('object'), cell: ({ subject }) => <span className="identifier">{subject}</span> },
  { header: t('posting'), cell: ({ posting }) => posting },
  { header: t('from'), cell: ({ debit }) => <span className="identifier">{debit}</span> },
  { header: t('to'), cell: ({ credit }) => <span className="identifier">{credit}</span> },
  {
    header: t('amount'),
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  { header: t('time'), cell: ({ at }) => <Time at={at} /> },
];

function Entries({ book, account, close }: { book: string; account: string; close: () => void }) {
  const list = useAdminList<LedgerEntry>('/ledger/entries', { book, account });
  return (
    <>
      <Group>
        <Button variant="default" leftSection={<IconArrowLeft size={16} />} onClick={close}>
          {t('all_accounts')}
        </Button>
        <span className="identifier">{account}</span>
      </Group>
      <DataTable
        name={t('postings_on_account', { account })}
        columns={entryColumns}
        rows={list.rows}
        list={list}
        rowKey={({ subject, posting, case_key, leg }) => [subject, posting, case_key, leg].join(' ')}
        empty={<Empty title={t('no_postings_on_this_account')} />}
      />
    </>
  );
}
