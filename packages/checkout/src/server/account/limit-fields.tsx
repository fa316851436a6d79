/** The fields for the limits of an app that pays from the balance. */
import { accountUi, type BaseContext } from '../document.tsx';

/** The limits in PTK, as a person types them; empty for none. */
export interface TypedLimits {
  max_per_payment: string;
  max_per_day: string;
}

/** As the service takes it: the keyboards of some phones have other digits, or no point but a comma (D-1038). */
const amount = '\\s*[0-9٠-٩۰-۹０-９]{1,20}([.,٫．，][0-9٠-٩۰-۹０-９]{1,8})?\\s*';

/** @param form the id of the form that the fields belong to, if they stand outside of it */
export function LimitFields(props: { page: BaseContext; of: string; limits: TypedLimits; form?: string }) {
  const { page, of, limits, form } = props;
  const { t } = accountUi(page);
  const names = ['max_per_payment', 'max_per_day'] as const;
  return (
    <>
      {names.map((name) => (
        <p key={name} class="limit">
          <label for={`${of}-${name}`}>{t(name)}</label>
          <input
            id={`${of}-${name}`}
            name={name}
            form={form}
            type="text"
            inputmode="decimal"
            pattern={amount}
            maxlength={30}
            dir="ltr"
            placeholder={t('limit_none')}
            value={limits[name]}
          />
          <span class="quiet">PTK</span>
        </p>
      ))}
    </>
  );
}
