import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import type { DemoState } from './demo-state.ts';
import { startTable } from './start-table.ts';

const demo = { admin_key: 'ak_test' } as DemoState;

test.each([
  [
    { PAYDESK_DATA_DIR: '/srv/pay desk' },
    "\nPAYDESK_DATA_DIR='/srv/pay desk' npx paydesk create-admin --email you@example.com\n",
  ],
  [{ PAYDESK_DATA_DIR: "/srv/o'pay" }, "\nPAYDESK_DATA_DIR='/srv/o'\\''pay' npx paydesk create-admin"],
  [
    { DATABASE_URL: 'postgres://h/books' },
    '\nDATABASE_URL=… npx paydesk create-admin --email you@example.com\n',
  ],
])(
  'D-1344 without demo data the table of npm start says how to make an administrator: %o',
  (env, command) => {
    const text = startTable(readConfig({ ...env, PAYDESK_DEMO: '0' }), demo, null, null);
    expect(text).toContain(command);
    expect(text).toContain('Then sign in at http://127.0.0.1:8080/platform.');
  },
);
