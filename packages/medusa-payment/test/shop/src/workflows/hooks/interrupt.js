/** What the test wants to happen while a cart is completed, once: it writes a file that says so. */
const { existsSync, readFileSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { completeCartWorkflow } = require('@medusajs/medusa/core-flows');

const file = join(process.env.SHOP_FOLDER, 'interrupt');
/** The test writes it for a completion that waits. */
const goOn = join(process.env.SHOP_FOLDER, 'go-on');

async function interrupt(at) {
  if (!existsSync(file)) return;
  const [where, how] = readFileSync(file, 'utf8').split(' ');
  if (where !== at) return;
  rmSync(file);
  if (how === 'die') process.exit(1);
  while (how === 'wait' && !existsSync(goOn)) await new Promise((resolve) => setTimeout(resolve, 50));
  throw new Error('the shop is tired');
}

completeCartWorkflow.hooks.beforePaymentAuthorization(() => interrupt('before-payment'));
completeCartWorkflow.hooks.orderCreated(() => interrupt('after-payment'));
