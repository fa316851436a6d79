/**
 * The environment of the tests. The tests decide what the service is told: from this shell they take nothing but where
 * their tools are and how much to run.
 */
export function testEnvironment() {
  const ours = /^(PAYDESK_|DATABASE_URL$|REDIS_URL$|HOST$|PORT$|NODE_ENV$|PG[A-Z]+$)/;
  const tools = /^PAYDESK_(CHROMIUM|PG_BIN|EVERY_SERVER|EVERY_LOOK|PROPERTY_SEED)$/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name) || tools.test(name));
  return Object.fromEntries(kept);
}
