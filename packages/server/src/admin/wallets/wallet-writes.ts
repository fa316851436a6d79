/**
 * Changes of a merchant's guarantee, credit and debts, as writes. Changes that bring PTK from outside or forgive a debt may
 * wait for a second person: a guarantee can be returned to the wallet, so a deposit from outside is another kind of
 * top-up.
 */
import { DebtWriteOff, GuaranteeDeposit, RecoveryRepayment, WalletMove } from '@paydesk/contract';
import { invalid } from '../../base/errors.ts';
import { reader } from '../../base/input/decode.ts';
import type { Queryable } from '../../base/pg/index.ts';
import type { ReferencedEntry } from '../../ledger/books/index.ts';
import {
  type BankMoney,
  creditRepayment,
  guaranteeDeposit,
  guaranteeReturn,
  recoveryRepayment,
  recoveryWriteOff,
  type WalletOperation,
} from '../../ledger/wallets/index.ts';
import type { GuardedWrite } from '../approvals/index.ts';
import { demandReason } from '../request/decode.ts';
import { amountsOf, type PostingRequest, postingWrite } from './posting-write.ts';

/** A change of one merchant's wallet. */
export interface WalletRequest extends PostingRequest {
  merchant_id: string;
  /** Of a guarantee deposit, and of a repayment of debt from the available balance. */
  source?: 'external' | 'available';
}

/** One call: its path below the merchant, how its body is read, and its write. */
export interface WalletCall {
  path: string;
  read(db: Queryable, body: unknown): Promise<{ asked: Asked; reason: string | null }>;
  write: GuardedWrite<WalletRequest>;
  /** Whether the request may wait for a second person. */
  mayWait: (request: WalletRequest) => boolean;
}

type Asked = Omit<WalletRequest, 'merchant_id' | 'target'>;

const walletWrite = (
  action: string,
  entryOf: (operation: WalletOperation, paid: BankMoney | null, request: WalletRequest) => ReferencedEntry,
): GuardedWrite<WalletRequest> =>
  postingWrite(action, (request, paid) => {
    const { merchant_id, amount_ptk, reference } = request;
    return entryOf({ merchant_id, amount_ptk: BigInt(amount_ptk), reference }, paid, request);
  });

const readMove = reader(WalletMove);
const readDeposit = reader(GuaranteeDeposit);
const readRepayment = reader(RecoveryRepayment);
const readWriteOff = reader(DebtWriteOff);

const readPlainMove: WalletCall['read'] = async (db, body) => ({
  asked: await amountsOf(db, readMove(body)),
  reason: null,
});
/** Where a deposit or a repayment comes from. Throws AppError `invalid_request` on `paid`. */
function sourceOf({ source = 'external', paid }: GuaranteeDeposit): 'external' | 'available' {
  if (source === 'available' && paid !== undefined) {
    throw invalid('paid', 'What comes from the available balance has no bank payment.');
  }
  return source;
}
const isFromOutside = ({ source }: WalletRequest): boolean => source !== 'available';
const always = (): boolean => true;
const never = (): boolean => false;

export const walletCalls: readonly WalletCall[] = [
  {
    path: 'guarantee-deposits',
    async read(db, body) {
      const move = readDeposit(body);
      const source = sourceOf(move);
      return { asked: { ...(await amountsOf(db, move)), source }, reason: null };
    },
    write: walletWrite('merchant.guarantee-deposit', (operation, paid, { source }) =>
      guaranteeDeposit(operation, source === 'available' ? source : { paid }),
    ),
    mayWait: isFromOutside,
  },
  {
    path: 'guarantee-returns',
    read: readPlainMove,
    write: walletWrite('merchant.guarantee-return', guaranteeReturn),
    mayWait: never,
  },
  {
    path: 'credit-repayments',
    read: readPlainMove,
    write: walletWrite('merchant.credit-repayment', creditRepayment),
    mayWait: never,
  },
  {
    path: 'recovery-repayments',
    async read(db, body) {
      const move = readRepayment(body);
      const amounts = await amountsOf(db, move);
      const asked = sourceOf(move) === 'available' ? { ...amounts, source: 'available' as const } : amounts;
      return { asked, reason: null };
    },
    write: walletWrite('merchant.recovery-repayment', (operation, paid, { source }) =>
      recoveryRepayment(operation, source === 'available' ? source : { paid }),
    ),
    mayWait: isFromOutside,
  },
  {
    path: 'recovery-write-offs',
    async read(db, body) {
      const { reason, ...move } = readWriteOff(body);
      return { asked: await amountsOf(db, move), reason: demandReason(reason) };
    },
    write: walletWrite('merchant.recovery-write-off', recoveryWriteOff),
    mayWait: always,
  },
];

/** The writes of these calls that may wait. */
export const walletWrites = walletCalls.map(({ write }) => write);
