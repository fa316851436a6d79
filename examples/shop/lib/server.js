/** The shop's addresses. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { PaydeskError, readRawBody } from '@paydesk/sdk';
import { receiveNotification } from './notifications.js';
import { findOrder, newOrderId, placeOrder, refreshOrder, startPayment } from './orders.js';
import { booksPage, messagePage, orderPage, productPage, productsPage } from './pages.js';
import { reconcileBooks } from './reconciliation.js';

/**
 * @typedef {object} Shop
 * @property {import('./settings.js').Settings} settings
 * @property {import('./database.js').Database} db
 * @property {import('@paydesk/sdk').PaydeskClient} paydesk
 */

const files = { '/shop.css': 'text/css; charset=utf-8', '/pay.js': 'text/javascript; charset=utf-8' };

/** @type {[method: string, path: RegExp, handle: (shop: Shop, call: any) => Promise<unknown>][]} */
const routes = [
  ['GET', /^\/$/, showProducts],
  ['GET', /^\/products\/([\w-]+)$/, showProduct],
  ['POST', /^\/orders$/, order],
  ['GET', /^\/orders\/([\w-]+)$/, showOrder],
  ['POST', /^\/orders\/([\w-]+)\/pay$/, pay],
  ['GET', /^\/orders\/([\w-]+)\/state$/, sendState],
  ['GET', /^\/books$/, showBooks],
  ['POST', /^\/books\/reconciliations$/, compare],
];

/** @param {Shop} shop */
export function createShopServer(shop) {
  return createServer((request, response) => {
    answer(shop, request, response).catch((error) => {
      console.error(error);
      if (response.headersSent) response.end();
      else send(response, 500, messagePage('Something went wrong', 'Please try again in a moment.'));
    });
  });
}

/** @param {Shop} shop */
async function answer(shop, request, response) {
  const { pathname } = new URL(request.url ?? '/', shop.settings.shop_url);
  const { method = 'GET' } = request;
  protect(response, shop.settings);
  if (method === 'POST' && pathname === '/paydesk/notifications')
    return receiveNotification(shop, request, response);
  if (Object.hasOwn(files, pathname)) {
    response.writeHead(200, { 'content-type': files[pathname] });
    return response.end(await readFile(new URL(`../public${pathname}`, import.meta.url)));
  }
  for (const [verb, path, handle] of routes) {
    const found = path.exec(pathname);
    if (verb !== method || found === null) continue;
    if (verb === 'POST' && !comesFromUs(request, shop.settings)) break;
    return handle(shop, { request, response, name: found[1] ?? '' });
  }
  return notFound(response);
}

/** Forms of other sites order nothing here. */
const comesFromUs = ({ headers: { origin } }, { shop_url }) => origin === new URL(shop_url).origin;

function protect(response, { paydesk_url, embeds }) {
  const paydesk = new URL(paydesk_url).origin;
  const embedded = embeds ? ` ${paydesk}` : '';
  response.setHeader(
    'content-security-policy',
    `default-src 'none'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; ` +
      `frame-ancestors 'none'; script-src 'self'${embedded}; frame-src 'self'${embedded}`,
  );
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'same-origin');
  response.setHeader('cache-control', 'no-store');
}

function send(response, status, text) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text);
}

const goTo = (response, path) => response.writeHead(303, { location: path }).end();

const notFound = (response) =>
  send(response, 404, messagePage('Not found', 'There is nothing at this address.'));

async function formOf(request) {
  return Object.fromEntries(new URLSearchParams((await readRawBody(request)).toString('utf8')));
}

async function showProducts({ db }, { response }) {
  send(response, 200, productsPage(await db.rows('SELECT * FROM products ORDER BY price')));
}

async function showProduct({ db }, { response, name }) {
  const [product] = await db.rows('SELECT * FROM products WHERE sku = $1', [name]);
  if (product === undefined) return notFound(response);
  return send(response, 200, productPage(product, newOrderId()));
}

async function order(shop, { request, response }) {
  const { order_id = '', sku = '', quantity = '' } = await formOf(request);
  if (!(await placeOrder(shop.db, { order_id, sku, quantity }))) {
    return send(response, 400, messagePage('We could not take this order', 'Go back and try again.'));
  }
  return pay(shop, { response, name: order_id });
}

/** Makes the collection order, and shows the order, which leads to the checkout. */
async function pay(shop, { response, name }) {
  try {
    await startPayment(shop, name);
  } catch (error) {
    if (!(error instanceof PaydeskError)) throw error;
    // Whether Paydesk has an order now is unknown, and does not matter: the button sends the same key.
    console.error(`order ${name}: ${error.message}`);
    const found = await findOrder(shop.db, name);
    return send(response, 503, shown(shop, found, 'The payment service did not answer. Please try again.'));
  }
  return goTo(response, `/orders/${name}`);
}

/**
 * An order as the books have it, after they have asked Paydesk. Where the browser comes from, and what its address says,
 * plays no part: the return from the checkout proves nothing.
 */
async function showOrder(shop, { response, name }) {
  await refreshed(shop, name);
  const found = await findOrder(shop.db, name);
  return found === null ? notFound(response) : send(response, 200, shown(shop, found, null));
}

/** For the script of the order's page. */
async function sendState(shop, { response, name }) {
  await refreshed(shop, name);
  const found = await findOrder(shop.db, name);
  if (found === null) return notFound(response);
  return response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify({ state: found.state }));
}

/** Without an answer of Paydesk the books are shown as they are. */
async function refreshed(shop, order_id) {
  try {
    await refreshOrder(shop, order_id);
  } catch (error) {
    if (!(error instanceof PaydeskError)) throw error;
    console.error(`order ${order_id}: ${error.message}`);
  }
}

const shown = ({ settings }, order, problem) =>
  orderPage({
    order,
    problem,
    embeds_from: settings.embeds ? settings.paydesk_url : null,
    returns: settings.shop_url.startsWith('https:'),
  });

async function showBooks({ db }, { response }) {
  const postings = await db.rows('SELECT * FROM postings ORDER BY posted_at DESC LIMIT 50');
  const findings = await db.rows('SELECT * FROM findings ORDER BY found_at DESC LIMIT 50');
  const [last] = await db.rows('SELECT * FROM reconciliations ORDER BY id DESC LIMIT 1');
  send(response, 200, booksPage({ postings, findings, last }));
}

async function compare(shop, { response }) {
  await reconcileBooks(shop, new Date());
  goTo(response, '/books');
}
