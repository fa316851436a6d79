/** What the test wants to happen while a cart is completed, once: it writes a file that says so. */
const { existsSync, readFileSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { completeCartWorkflow } = require('@medusajs/medusa/core-flows');

const file = join(process.env.SHOP_FOLDER, 'interrupt');

function interrupt(at) {
  if (!existsSync(file)) return;
  const [where, how] = readFileSync(file, 'utf8').split(' ');
  if (where !== at) return;
  rmSync(file);
  if (how === 'die') process.exit(1);
  throw new Error('the shop is tired');
}

completeCartWorkflow.hooks.beforePaymentAuthorization(async () => interrupt('before-payment'));
completeCartWorkflow.hooks.orderCreated(async () => interrupt('after-payment'));
