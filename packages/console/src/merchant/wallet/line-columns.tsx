/** The columns of wallet movements, for an order and for the statement. */
import type { WalletLine } from '../../api/merchants.ts';
import type { Column } from '../../components/list/data-table.tsx';
import { TransferWords, whatOf } from '../../components/values/ledger-words.tsx';
import { Change } from '../../components/values/money.tsx';
import { Time } from '../../components/values/time.tsx';
import { textsOf } from '../../texts/texts.ts';
import { accountsOf } from './accounts.ts';

const t = textsOf('wallet');

export const lineColumns: Column<WalletLine>[] = [
  { header: t('time'), cell: ({ at }) => <Time at={at} show="second" /> },
  {
    header: t('entry'),
    wide: true,
    cell: (line) => <TransferWords {...line} what={whatOf(line)} />,
  },
  { header: t('account'), cell: accountsOf },
  {
    header: t('amount'),
    end: true,
    cell: ({ change_ptk, amount_ptk }) => <Change change={change_ptk} moved={amount_ptk} />,
  },
];
