import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { freshDatabase } from '../servers/database.ts';
import { inOneLine, isAllowed } from '../rules/allowed-statements.ts';
import { markedTables, ownersMissing } from '../rules/owners.ts';
import { explained, planFaults, type Statement } from '../servers/plans.ts';

/**
 * Records every distinct statement that a service process of this test file runs. When the file has ended, explains
 * those that no earlier file of this worker process ran: each must name the owner of what it reads and writes in its text,
 * touch one partition of each table, and find its rows by an index (docs/ARCHITECTURE.md, "Ready to be distributed"). What
 * may do otherwise is listed in allowed-statements.ts.
 */
const seen = new Map<string, Statement>();

/** Connections of the service itself; queries of the tests are not recorded. */
const ofService = /^paydesk (all|web|worker)$/;

/** Members of a connection that the driver's types omit. */
interface Connected {
  connectionParameters: { application_name?: string };
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

const connection = pg.Client.prototype as unknown as { query: Query };
const original = connection.query;

const recording: Query = function (...args) {
  const [asked] = args;
  const name = (this as unknown as Connected).connectionParameters.application_name;
  if (typeof asked === 'object' && asked !== null && 'text' in asked && ofService.test(name ?? '')) {
    const { text, values = [] } = asked as { text: string; values?: unknown[] };
    if (!seen.has(text) && !explained.has(text)) seen.set(text, { text, values });
  }
  return original.apply(this, args);
};

connection.query = recording;

afterAll(async () => {
  connection.query = original;
  const judged = [...seen.values()].filter(({ text }) => !isAllowed(text));
  if (judged.length === 0) return;
  const database = await freshDatabase();
  try {
    const owners = await markedTables(database.url);
    const nameless = judged
      .map(({ text }) => ({ problems: ownersMissing(text, owners), statement: inOneLine(text) }))
      .filter(({ problems }) => problems.length > 0);
    expect(
      [...nameless, ...(await planFaults(database.url, judged))],
      'statements that a distributed database would not do',
    ).toEqual([]);
    for (const { text } of judged) explained.add(text);
  } finally {
    await database.drop();
  }
});
