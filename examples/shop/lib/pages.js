/** The shop's pages. They show what the shop's books say, and work without scripts. */
import { html } from './html.js';

/** @param {{ title: string, reload_s?: number, scripts?: string[] }} head */
export function page({ title, reload_s, scripts = [] }, content) {
  const reload = reload_s !== undefined && html`<meta http-equiv="refresh" content="${reload_s}" />`;
  return `<!doctype html>${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Lantern Books</title>
        ${scripts.length === 0 ? reload : html`<noscript>${reload}</noscript>`}
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/shop.css" />
        ${scripts.map((src) => html`<script src="${src}" defer></script>`)}
      </head>
      <body>
        <header>
          <a class="name" href="/">Lantern Books</a>
          <a href="/books">Books of the shop</a>
        </header>
        <main>${content}</main>
        <footer>A demo shop. Nothing is shipped, and with the card simulator nothing is charged.</footer>
      </body>
    </html>`.text
  }`;
}

const price = (amount, currency) => `${amount} ${currency}`;

const cover = ({ sku, title }) => html`<span class="cover ${sku}" aria-hidden="true">${title}</span>`;

export const productsPage = (products) =>
  page(
    { title: 'Shop' },
    html`<h1>Books worth staying up for</h1>
      <ul class="products">
        ${products.map(
          (product) =>
            html`<li>
              <a href="/products/${product.sku}">
                ${cover(product)}
                <strong>${product.title}</strong>
                <span>${price(product.price, product.currency)}</span>
              </a>
            </li>`,
        )}
      </ul>`,
  );

/** @param order_id the id that the order will have, so that a form that is sent twice makes one order */
export const productPage = (product, order_id) =>
  page(
    { title: product.title },
    html`<article class="product">
      ${cover(product)}
      <div>
        <h1>${product.title}</h1>
        <p>${product.about}</p>
        <p class="price">${price(product.price, product.currency)}</p>
        <form method="post" action="/orders">
          <input type="hidden" name="order_id" value="${order_id}" />
          <input type="hidden" name="sku" value="${product.sku}" />
          <label>Quantity <input name="quantity" type="number" min="1" max="9" value="1" required /></label>
          <button>Order</button>
        </form>
      </div>
    </article>`,
  );

const states = {
  new: ['Not paid yet', 'Pay to complete your order.'],
  pending: ['Waiting for your payment', 'This page follows the payment by itself.'],
  review: [
    'Your payment is being checked',
    'The time to pay is over, but a payment may be on its way. Please do not pay again.',
  ],
  expired: ['The time to pay has run out', 'Nothing was charged. You can try again.'],
  test: ['This payment was a test', 'Nothing was charged, and your order is not paid. You can pay it now.'],
  paid: ['Paid. Thank you!', 'Your order is on its way.'],
  refunded: ['Refunded', 'Your payment was returned to you.'],
  chargeback: ['The payment was taken back', 'Your bank has reversed the payment.'],
};

/** @param {{ order: any, problem: string | null, embeds_from: string | null, returns: boolean }} shown */
export function orderPage({ order, problem, embeds_from, returns }) {
  // A status of a later version of Paydesk is not paid, and is not ours to explain.
  const [heading, text] = states[order.state] ?? [
    'Your payment is being checked',
    'Please look again later.',
  ];
  const waits = ['pending', 'review'].includes(order.state);
  return page(
    {
      title: `Order ${order.order_id}`,
      // Where a script follows the payment, this is only for browsers without scripts.
      ...(waits ? { reload_s: 4 } : {}),
      scripts:
        embeds_from !== null && order.state === 'pending' ? [`${embeds_from}/embed/v1.js`, '/pay.js'] : [],
    },
    html`<p class="crumb">Order ${order.order_id}</p>
      <h1 class="state ${order.state}" role="status">${heading}</h1>
      <p>${text}</p>
      ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`} ${payment(order, returns)}
      <dl>
        <div>
          <dt>${order.quantity} × ${order.title}</dt>
          <dd>${price(order.total, order.currency)}</dd>
        </div>
      </dl>
      ${payments(order)}`,
  );
}

function payment(order, returns) {
  const [latest] = order.attempts;
  if (order.state === 'pending' && typeof latest.checkout_url === 'string') {
    // Without a way back, the checkout opens beside this page.
    return html`<p>
      <a
        class="button"
        id="pay"
        href="${latest.checkout_url}"
        ${!returns && html`target="_blank"`}
        rel="noopener"
      >
        Pay ${price(order.total, order.currency)}
      </a>
    </p>`;
  }
  if (!['new', 'pending', 'expired', 'test'].includes(order.state)) return null;
  return html`<form method="post" action="/orders/${order.order_id}/pay">
    <button>${['expired', 'test'].includes(order.state) ? 'Try again' : 'Continue to payment'}</button>
  </form>`;
}

const payments = ({ postings }) =>
  postings.length > 0 &&
  html`<h2>Payments</h2>
    <ul class="payments">
      ${postings.map(
        ({ amount, currency, event_id, reversed_as }) =>
          html`<li>
            ${price(amount, currency)}
            <code>${event_id}</code> ${reversed_as !== null && html`<em>${reversed_as}</em>`}
          </li>`,
      )}
    </ul>`;

const time = (date) => date.toISOString().slice(0, 16).replace('T', ' ');

/** What the shop's owner looks at: what was posted, what differs, what waits for a person. */
export const booksPage = ({ postings, findings, last }) =>
  page(
    { title: 'Books' },
    html`<h1>Books of the shop</h1>
      <h2>Comparison with Paydesk</h2>
      ${
        last === undefined
          ? html`<p>Not made yet. It runs every night.</p>`
          : html`<p>
                ${time(last.finished_at)} UTC: ${last.compared} orders compared, ${last.differing.length}
                differ.
              </p>
              <ul>
                ${last.differing.map((sentence) => html`<li>${sentence}</li>`)}
              </ul>`
      }
      <form method="post" action="/books/reconciliations"><button>Compare now</button></form>
      <h2>To look at</h2>
      ${
        findings.length === 0
          ? html`<p>Nothing.</p>`
          : html`<ul>
              ${findings.map(({ detail }) => html`<li>${detail}</li>`)}
            </ul>`
      }
      <h2>Latest payments</h2>
      ${
        postings.length === 0
          ? html`<p>None yet.</p>`
          : html`<div class="wide">
              <table>
                <thead>
                  <tr>
                    <th>posted (UTC)</th>
                    <th>order</th>
                    <th>amount</th>
                    <th>event</th>
                    <th></th>
                  </tr>
                </thead>
                <tbody>
                  ${postings.map(
                    (row) =>
                      html`<tr>
                        <td>${time(row.posted_at)}</td>
                        <td><a href="/orders/${row.order_id}">${row.order_id}</a></td>
                        <td>${price(row.amount, row.currency)}</td>
                        <td><code>${row.event_id}</code></td>
                        <td>${row.reversed_as}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }`,
  );

export const messagePage = (title, text) =>
  page(
    { title },
    html`<h1>${title}</h1>
      <p>${text}</p>`,
  );
