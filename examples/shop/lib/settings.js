/** The shop's settings, from the environment. */

/** @param {NodeJS.ProcessEnv} env */
export function readSettings(env) {
  const need = (/** @type {string} */ name) => {
    const value = env[name];
    if (value === undefined || value === '') throw new Error(`Set ${name}.`);
    return value;
  };
  const port = Number(env.PORT ?? 8092);
  return {
    port,
    /** The address that buyers use. With HTTPS, Paydesk leads them back to it. */
    shop_url: env.SHOP_URL ?? `http://127.0.0.1:${port}`,
    database_url: need('SHOP_DATABASE_URL'),
    paydesk_url: need('PAYDESK_URL'),
    client_id: need('PAYDESK_CLIENT_ID'),
    client_secret: need('PAYDESK_CLIENT_SECRET'),
    /** Several during a rotation: older orders still use the older one. */
    notify_secrets: need('NOTIFY_SECRETS').trim().split(/\s+/),
    /** Only a shop for tests accepts test payments, in which no buyer is charged. */
    accept_test_mode: env.SHOP_ACCEPT_TEST_MODE === '1',
    /** Whether the checkout opens in the shop's own page. The merchant must have registered the shop's origin for it. */
    embeds: env.SHOP_EMBED === '1',
    /** How often Paydesk is asked about one order at most, however often its page is loaded. */
    check_every_ms: 2_000,
  };
}

/** @typedef {ReturnType<typeof readSettings>} Settings */
