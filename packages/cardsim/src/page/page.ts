import { formatAmount } from '../records/amounts.ts';
import { html, type Html } from './html.ts';
import { style_element } from './page-style.ts';
import { type Manner, methods, wallets } from '../records/methods.ts';
import type { SessionRecord } from '../records/records.ts';
import {
  success_card,
  formatCardNumber,
  test_cards,
  type CardForm,
  type CardProblems,
} from './test-cards.ts';

/** The pages that a payer sees. They need no script, and they escape every text of a request. */

/**
 * The payment page.
 *
 * @param action the path of the page; forms post to it and to paths below it
 */
export function payPage(
  session: SessionRecord,
  action: string,
  form: CardForm,
  problems: CardProblems = {},
  alert: string | null = null,
): string {
  const total = formatAmount(session.amount_total, session.currency);
  const types = session.payment_method_types;
  return page(
    `Pay ${total}`,
    html`${order(session)} ${alert === null ? null : html`<p class="alert" role="alert">${alert}</p>`}
    ${types.includes('card') ? cardSection(session, action, form, problems) : null}
    ${types.filter((type) => type !== 'card').map((type) => otherSection(action, type))}
    ${cancelLink(session)} ${types.includes('card') ? cardList() : null}`,
  );
}

function cardSection(session: SessionRecord, action: string, form: CardForm, problems: CardProblems): Html {
  const total = formatAmount(session.amount_total, session.currency);
  const inWallets = Object.entries(wallets).map(
    ([type, name]) =>
      html`<button type="submit" name="method" value="${type}" class="quiet">Pay with ${name}</button>`,
  );
  return html`<section class="sheet" aria-labelledby="card">
    <h2 id="card">Pay by card</h2>
    <form method="post" action="${action}" novalidate>
      ${field('email', 'Email', 'email', form.email, problems.email, 'email')}
      ${field('cardNumber', 'Card number', 'text', form.number, problems.number, 'cc-number')}
      <div class="pair">
        <div>${field('cardExpiry', 'Expiry (MM / YY)', 'text', form.expiry, problems.expiry, 'cc-exp')}</div>
        <div>${field('cardCvc', 'Security code', 'text', form.cvc, problems.cvc, 'cc-csc')}</div>
      </div>
      <button type="submit" name="method" value="card" data-testid="hosted-payment-submit-button">
        Pay ${total}
      </button>
    </form>
    <form method="post" action="${action}">${inWallets}</form>
  </section>`;
}

/** The page that stands for the bank’s authentication page. */
export function challengePage(session: SessionRecord, action: string): string {
  return page(
    '3-D Secure authentication',
    html`${order(session)}
      <section class="sheet" aria-labelledby="challenge">
        <h2 id="challenge">3-D Secure authentication</h2>
        <p>A real bank would now ask its customer to confirm this payment. Choose how that ends.</p>
        <form method="post" action="${action}">
          <button type="submit" name="decision" value="complete">Complete authentication</button>
          <button type="submit" name="decision" value="fail" class="quiet">Fail authentication</button>
        </form>
      </section>`,
  );
}

export function completePage(session: SessionRecord, success_url: string): string {
  const text =
    session.payment_status === 'paid'
      ? 'This payment is complete. You have been charged once; there is nothing left to do here.'
      : 'This payment was sent to the bank, which confirms or refuses it later.';
  return page(
    'Payment complete',
    html`${order(session)}
      <section class="sheet">
        <p>${text}</p>
        <a class="button" href="${success_url}">Continue</a>
      </section>`,
  );
}

export function expiredPage(session: SessionRecord): string {
  return page(
    'This payment link has expired',
    html`<section class="sheet">
      <h1>This payment link has expired</h1>
      <p>Nothing was charged. Go back to the shop and start the payment again.</p>
      ${cancelLink(session)}
    </section>`,
  );
}

export function unknownPage(): string {
  return page(
    'Payment page not found',
    html`<section class="sheet">
      <h1>There is no such payment page</h1>
      <p>Check that the whole link was copied.</p>
    </section>`,
  );
}

export function problemPage(): string {
  return page(
    'Something went wrong',
    html`<section class="sheet">
      <h1>Something went wrong</h1>
      <p>Nothing was charged. Go back and try again.</p>
    </section>`,
  );
}

function page(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${style_element}
      </head>
      <body>
        <main>
          <p class="banner"><strong>Card simulator.</strong> No real money moves on this page.</p>
          ${content}
        </main>
      </body>
    </html>`.markup;
}

function order(session: SessionRecord): Html {
  const { line_items, currency } = session;
  const [first] = line_items;
  const single = line_items.length === 1 && first?.quantity === 1n;
  const items = line_items.map(
    (item) =>
      html`<li>
        <span>${item.name} × ${item.quantity.toString()}</span>
        <span>${formatAmount(item.unit_amount * item.quantity, currency)}</span>
      </li>`,
  );
  return html`<section class="sheet" aria-label="Your order">
    <h1>${single ? first.name : 'Your order'}</h1>
    <p class="amount">${formatAmount(session.amount_total, currency)}</p>
    ${single && first.description !== null ? html`<p class="banner">${first.description}</p>` : null}
    ${
      single
        ? null
        : html`<ul class="items">
            ${items}
          </ul>`
    }
  </section>`;
}

function field(
  name: string,
  label: string,
  type: string,
  value: string,
  problem: string | undefined,
  autocomplete: string,
): Html {
  const numeric = type === 'text' ? html` inputmode="numeric"` : null;
  const invalid =
    problem === undefined ? null : html` aria-invalid="true" aria-describedby="${name}-problem"`;
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      required${numeric}${invalid}
    />
    ${problem === undefined ? null : html`<p class="problem" id="${name}-problem">${problem}</p>`}`;
}

/** The payer's decisions for each kind of method: the value of a button, and its text. */
const decisions: { [manner in Manner]: readonly (readonly [decision: string, text: string])[] } = {
  immediate: [
    ['authorize', 'Authorize the payment'],
    ['refuse', 'Refuse it'],
  ],
  code: [
    ['authorize', 'Scan the code and pay'],
    ['refuse', 'Refuse it'],
    ['expire', 'Let the code run out'],
  ],
  delayed: [
    ['succeeds', 'A debit that succeeds'],
    ['fails', 'A debit that the bank refuses'],
    ['pending', 'A debit that waits for the control API'],
  ],
};

/** A method without a form: the buttons decide how it ends. */
function otherSection(action: string, type: string): Html {
  const { name = type, manner = 'immediate' } = methods[type] ?? {};
  const buttons = decisions[manner].map(
    ([decision, text]) =>
      html`<button type="submit" name="method" value="${type}:${decision}" class="quiet">${text}</button>`,
  );
  return html`<section class="sheet" aria-labelledby="${type}">
    <h2 id="${type}">Pay by ${name}</h2>
    ${
      manner === 'delayed'
        ? html`<p>An asynchronous method: the bank decides after you have left this page.</p>`
        : null
    }
    <form method="post" action="${action}">${buttons}</form>
  </section>`;
}

function cardList(): Html {
  const rows = test_cards.map(
    (card) =>
      html`<tr>
        <td>${formatCardNumber(card.number)}</td>
        <td>${card.label}</td>
      </tr>`,
  );
  return html`<section class="sheet" aria-labelledby="test-cards">
    <h2 id="test-cards">Test cards</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Number</th>
          <th scope="col">What happens</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
    <p class="banner">Any expiry in the future and any security code will do.</p>
  </section>`;
}

function cancelLink(session: SessionRecord): Html | null {
  if (session.cancel_url === null) return null;
  return html`<p><a href="${session.cancel_url}">Cancel and go back</a></p>`;
}

/** The initial values of the form: a card that succeeds. */
export function prefilledForm(email: string, now_seconds: number): CardForm {
  const year = (new Date(now_seconds * 1000).getUTCFullYear() + 2) % 100;
  return {
    number: formatCardNumber(success_card),
    expiry: `12 / ${String(year).padStart(2, '0')}`,
    cvc: '123',
    email,
  };
}
