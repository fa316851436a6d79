/** The settings of a payment method, as an administrator enters them in Vendure. */
import { LanguageCode } from '@vendure/core';

/** What a payment method of Paydesk is set to. */
export interface Settings {
  base_url: string;
  client_id: string;
  client_secret: string;
  /** The signing secrets of notifications: the current one, and older ones while their orders are open. */
  notify_secrets: string[];
  /** Restricts the checkout to one channel; empty: the buyer chooses. */
  payment_no: string;
  /** Where the buyer goes after a payment; `{code}` stands for the order's code. Empty: nowhere. */
  return_url: string;
  /** Seconds: 60 to 7200. */
  expires_in: number;
  accept_test_mode: boolean;
}

const text = (value: string) => [{ languageCode: LanguageCode.en, value }];
const password = { component: 'password-form-input' } as const;

/** The form of the settings in the administration of Vendure. */
export const settingsForm = {
  base_url: {
    type: 'string',
    label: text('Address of Paydesk'),
    description: text('Such as https://pay.example'),
  },
  client_id: { type: 'string', label: text('Client id') },
  client_secret: { type: 'string', label: text('Client secret'), ui: password },
  notify_secret: {
    type: 'string',
    label: text('Notification secret'),
    description: text(
      'Paydesk shows it when you save the address of notifications. After a rotation keep the old one behind it, separated by a space.',
    ),
    ui: password,
  },
  payment_no: {
    type: 'string',
    required: false,
    defaultValue: '',
    label: text('Channel'),
    description: text('The payment_no of the only channel that buyers may use. Empty: buyers choose.'),
  },
  return_url: {
    type: 'string',
    required: false,
    defaultValue: '',
    label: text('Return address'),
    description: text('HTTPS. {code} stands for the code of the order.'),
  },
  expires_in: {
    type: 'int',
    required: false,
    defaultValue: 1800,
    label: text('Seconds until a checkout expires'),
    ui: { component: 'number-form-input', min: 60, max: 7200 },
  },
  accept_test_mode: {
    type: 'boolean',
    required: false,
    defaultValue: false,
    label: text('Accept payments through test channels'),
  },
} as const;

/**
 * Reads the values of the form, as Vendure stores them: texts.
 *
 * @throws Error that names the setting that is missing
 */
export function readSettings(values: readonly { name: string; value: string }[]): Settings {
  const given = (name: string): string => values.find((one) => one.name === name)?.value.trim() ?? '';
  const needed = (name: string): string => {
    if (given(name) === '') throw new Error(`The payment method of Paydesk has no ${name}.`);
    return given(name);
  };
  return {
    base_url: needed('base_url').replace(/\/+$/, ''),
    client_id: needed('client_id'),
    client_secret: needed('client_secret'),
    notify_secrets: needed('notify_secret').split(/\s+/),
    payment_no: given('payment_no'),
    return_url: given('return_url'),
    expires_in: Number(given('expires_in') || 1800),
    accept_test_mode: given('accept_test_mode') === 'true',
  };
}
