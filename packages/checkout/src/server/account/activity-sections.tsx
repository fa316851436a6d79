/** The parts of the account page that show what a buyer has and has paid. */
import { accountUi, type BaseContext } from '../document.tsx';
import { type Activity, Balance, Payments, WalletLines } from './activity-parts.tsx';
import { Part } from './part.tsx';

interface PartProps {
  page: BaseContext & { activity: Activity };
}

/** The ways to the consoles of people who work there. */
export function Consoles({ page }: PartProps) {
  const { t } = accountUi(page);
  const { merchant, platform } = page.activity.consoles;
  if (!merchant && !platform) return null;
  return (
    <p class="row">
      {merchant && <a href={`${page.base_path}/console`}>{t('console_merchant')}</a>}
      {platform && <a href={`${page.base_path}/platform`}>{t('console_platform')}</a>}
    </p>
  );
}

export function Wallet({ page }: PartProps) {
  const { t } = accountUi(page);
  const { available_ptk, lines, top_up } = page.activity;
  return (
    <Part id="wallet" title={t('balance')}>
      <Balance page={page} available_ptk={available_ptk} />
      {top_up && (
        <a class="secondary" href={`${page.base_path}/account/top-up`}>
          {t('top_up')}
        </a>
      )}
      {lines.length === 0 ? (
        <p>{t('lines_none')}</p>
      ) : (
        <>
          <WalletLines page={page} lines={lines} />
          <a class="secondary" href={`${page.base_path}/account/wallet`}>
            {t('lines_all')}
          </a>
        </>
      )}
    </Part>
  );
}

export function Paid({ page }: PartProps) {
  const { t } = accountUi(page);
  const { payments } = page.activity;
  return (
    <Part id="payments" title={t('payments')}>
      {payments.length === 0 ? (
        <p>{t('payments_none')}</p>
      ) : (
        <>
          <Payments page={page} payments={payments} />
          <a class="secondary" href={`${page.base_path}/account/payments`}>
            {t('payments_all')}
          </a>
        </>
      )}
    </Part>
  );
}
