import { Anchor, Button, Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type LedgerAccount, type LedgerEntry, useAdminList } from '../../api/admin.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { useView } from '../../components/list/view-state.ts';
import { Empty } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Time } from '../../components/values/time.tsx';
import { merchantFinder } from '../lookups.ts';

/** The accounts of one book with their balances, and the movements of each. */
export function AccountsPanel() {
  const [view, change] = useView();
  const book = view.book ?? 'platform';
  return (
    <Panel
      title="Accounts"
      about="Every merchant has a book of its own, and so has the platform. An account opens to what moved on it."
    >
      <Filters
        filters={[
          {
            kind: 'found',
            name: 'book',
            label: 'Book',
            finder: merchantFinder,
            always: [{ value: 'platform', label: 'The platform' }],
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
      header: 'Account',
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
    { header: 'Holds', cell: ({ about }) => about },
    {
      header: 'Balance',
      end: true,
      cell: ({ balance, currency }) => <Amount amount={balance} currency={currency} />,
    },
  ];
  return (
    <DataTable
      name="Accounts"
      columns={columns}
      rows={list.rows}
      list={list}
      rowKey={({ account, currency }) => `${account} ${currency}`}
      onOpen={({ account }) => open(account)}
      empty={<Empty title="Nothing was posted in this book yet" />}
    />
  );
}

const entryColumns: Column<LedgerEntry>[] = [
  { header: 'What', wide: true, cell: ({ what }) => what },
  { header: 'On', cell: ({ subject }) => <span className="identifier">{subject}</span> },
  { header: 'Posting', cell: ({ posting }) => posting },
  { header: 'From', cell: ({ debit }) => <span className="identifier">{debit}</span> },
  { header: 'To', cell: ({ credit }) => <span className="identifier">{credit}</span> },
  {
    header: 'Amount',
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  { header: 'When', cell: ({ at }) => <Time at={at} /> },
];

function Entries({ book, account, close }: { book: string; account: string; close: () => void }) {
  const list = useAdminList<LedgerEntry>('/ledger/entries', { book, account });
  return (
    <>
      <Group>
        <Button variant="default" leftSection={<IconArrowLeft size={16} />} onClick={close}>
          All accounts
        </Button>
        <span className="identifier">{account}</span>
      </Group>
      <DataTable
        name={`What moved on ${account}`}
        columns={entryColumns}
        rows={list.rows}
        list={list}
        rowKey={({ subject, posting, case_key, leg }) => [subject, posting, case_key, leg].join(' ')}
        empty={<Empty title="Nothing moved on this account" />}
      />
    </>
  );
}
