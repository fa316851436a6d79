/** The administration’s calls about merchants’ wallets. */
import {
  DebtWriteOff,
  GuaranteeDeposit,
  MerchantWalletAnswer,
  RecoveryRepayment,
  TopUpRequest,
  WalletMove,
} from '../../admin/wallet.ts';
import { change, createdOrRepeated, read, titled, walletMoveErrors } from './call.ts';
import type { Operation } from '../operation.ts';

const wallet = titled('MerchantWallet', MerchantWalletAnswer);

/** Movements that administrators post to a merchant’s wallet, each once per reference. */
const walletMoves: readonly Operation[] = (
  [
    ['topUpMerchant', 'ptk-top-ups', 'Add PTK to a merchant’s wallet', 'TopUpRequest', TopUpRequest, true],
    [
      'depositGuarantee',
      'guarantee-deposits',
      'Deposit a guarantee',
      'GuaranteeDeposit',
      GuaranteeDeposit,
      true,
    ],
    [
      'returnGuarantee',
      'guarantee-returns',
      'Return a guarantee to the wallet',
      'WalletMove',
      WalletMove,
      false,
    ],
    [
      'repayCredit',
      'credit-repayments',
      'Repay drawn credit from the wallet',
      'WalletMove',
      WalletMove,
      false,
    ],
    [
      'repayRecovery',
      'recovery-repayments',
      'Record a repayment of debt',
      'RecoveryRepayment',
      RecoveryRepayment,
      true,
    ],
    ['writeOffRecovery', 'recovery-write-offs', 'Write off debt', 'DebtWriteOff', DebtWriteOff, true],
  ] as const
).map(([id, name, summary, title, body, mayWait]) =>
  change({
    id,
    method: 'post',
    path: `/merchants/{merchant_no}/${name}`,
    summary,
    description: `${summary}. Happens once per reference.`,
    body: titled(title, body),
    answer: wallet,
    statuses: createdOrRepeated,
    mayWait,
    errors: [...walletMoveErrors, 'amount_exceeds_debt'],
  }),
);

export const walletOperations: readonly Operation[] = [
  read({
    id: 'readMerchantWallet',
    path: '/merchants/{merchant_no}/wallet',
    summary: 'Read a merchant’s wallet',
    answer: wallet,
  }),
  ...walletMoves,
];
