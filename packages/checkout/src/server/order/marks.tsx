/** Small signs of card brands and methods, drawn here. They stand beside a text that says the same. */
import { renderToString } from 'preact-render-to-string';
import type { CheckoutMethod, CheckoutMethodType } from '../../model/state.ts';

/** Letters, the colour behind them, and the colour of the letters where it is not white. */
type Sign = readonly [letters: string, ground: string, ink?: string];

const dark = '#111';

/** By the provider's words for brands and methods. */
const signs: Readonly<Record<string, Sign>> = {
  visa: ['VISA', '#1434cb'],
  amex: ['AMEX', '#016fd0'],
  discover: ['Disc', '#fff', dark],
  diners: ['DC', '#004a97'],
  jcb: ['JCB', '#0e4c96'],
  unionpay: ['UPay', '#00508f'],
  cartes_bancaires: ['CB', '#0b6a4a'],
  apple_pay: ['Apple', '#000'],
  google_pay: ['G Pay', '#fff', dark],
  link: ['link', '#00d66f', dark],
  paypal: ['PayPal', '#003087'],
  amazon_pay: ['a Pay', '#ff9900', dark],
  revolut_pay: ['R Pay', '#000'],
  cashapp: ['$', '#00d64b', dark],
  klarna: ['Klarna', '#ffa8cd', dark],
  alipay: ['Ali', '#1677ff'],
  wechat_pay: ['We', '#057a3c'],
  grabpay: ['Grab', '#007a37'],
  paynow: ['PayN', '#7c1a78'],
  promptpay: ['PP', '#003d6b'],
  ideal: ['iDEAL', '#c06'],
  bancontact: ['BC', '#005498'],
  eps: ['eps', '#b3005e'],
  p24: ['P24', '#c4202a'],
  blik: ['BLIK', '#000'],
  twint: ['TWINT', '#000'],
  mobilepay: ['MP', '#3b56d9'],
  sepa_debit: ['SEPA', '#10298e'],
  us_bank_account: ['ACH', '#3a4658'],
  bacs_debit: ['Bacs', '#3a4658'],
  au_becs_debit: ['BECS', '#3a4658'],
};

/** The brands that stand for cards. */
const cards = ['visa', 'mastercard', 'amex'];

/** At most so many stand beside a method: its names say all of them. */
const most = 7;

/** One sign, drawn around the middle of its text; or nothing for a brand or a method that has none here. */
export function Mark({ of }: { of: string }) {
  const sign = Object.hasOwn(signs, of) ? signs[of] : undefined;
  if (sign === undefined && of !== 'mastercard') return null;
  const [letters = '', ground = '#1b1b1f', ink = '#fff'] = sign ?? [];
  return (
    <svg viewBox="-18 -16 36 24" aria-hidden="true">
      <path d="M-18-16h36v24H-18z" fill={ground} />
      {sign === undefined ? (
        <>
          <circle cx="-4" cy="-4" r="7" fill="#eb001b" />
          <circle cx="4" cy="-4" r="7" fill="#f79e1b" fill-opacity=".8" />
        </>
      ) : (
        <text fill={ink} font-size={letters.length > 4 ? 9 : 11}>
          {letters}
        </text>
      )}
    </svg>
  );
}

/** The marks and names of each method, by its id, if its channel has chosen methods. Other methods have none. */
export function marksOf(methods: readonly CheckoutMethod[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    methods.flatMap(({ method_id, types }) =>
      types === undefined ? [] : [[method_id, renderToString(<Offer types={types} />)]],
    ),
  );
}

function Offer({ types }: { types: readonly CheckoutMethodType[] }) {
  const shown = types.flatMap(({ type }) => (type === 'card' ? cards : [type])).slice(0, most);
  return (
    <>
      <span dir="ltr">
        {shown.map((of) => (
          <Mark key={of} of={of} />
        ))}
      </span>
      <small>
        {types.map(({ type, name, wait }, i) => (
          <>
            {i > 0 && ' · '}
            <bdi key={type}>{wait === undefined ? name : `${name} (${wait})`}</bdi>
          </>
        ))}
      </small>
    </>
  );
}
