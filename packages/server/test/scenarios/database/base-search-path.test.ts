import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  checkSchema,
  checkSearchPath,
  grantRole,
  migrate,
  tablesWithoutRights,
} from '../../../src/base/pg/index.ts';
import { serviceRole } from '../../../src/embedded/access.ts';
import {
  alterDatabase,
  askDatabase,
  emptyDatabase,
  freshDatabase,
  type TestDatabase,
} from '../../support/servers/database.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await freshDatabase();
});

afterEach(() => database.drop());

const ask = (statement: string): Promise<unknown[]> => askDatabase(database.url, statement);
const setPath = (path: string): Promise<unknown> => alterDatabase(database.url, `SET search_path = ${path}`);

describe('D-680 a search_path', () => {
  test.each([`''`, 'odd', 'pg_catalog'])(
    'of %s hides the tables: nothing starts, and no second set is made',
    async (path) => {
      await ask('CREATE SCHEMA odd');
      await setPath(path);
      const words =
        /^The search_path of the role "\w+" is .+, which does not lead to the tables of Paydesk in the/;
      await expect(checkSchema(database.url)).rejects.toThrow(words);
      await expect(checkSearchPath(database.url)).rejects.toThrow(words);
      await expect(migrate(database.url)).rejects.toThrow(words);
      await expect(grantRole(database.url, 'nobody')).rejects.toThrow(words);
      expect(
        await ask(`SELECT FROM pg_class WHERE relname = 'collection_orders' AND relkind = 'r'`),
      ).toHaveLength(1);
    },
  );

  test('with another schema first works, rights are those of the tables that are found, and no table is added elsewhere', async () => {
    await ask('CREATE SCHEMA odd');
    await setPath('odd, public');
    await checkSchema(database.url);
    expect(await migrate(database.url)).toEqual([]);
    await ask(`REVOKE INSERT ON public.channels FROM ${serviceRole}`);
    expect(await tablesWithoutRights(database.service_url)).toEqual(['public.channels']);
    await grantRole(database.url, serviceRole);
    expect(await tablesWithoutRights(database.service_url)).toEqual([]);
    await ask(`DELETE FROM schema_migrations WHERE version > 100`);
    await expect(migrate(database.url)).rejects.toThrow(
      /new tables would come into the schema odd, and those of Paydesk are in public: change it with ALTER/,
    );
  });

  test('under which another table comes first is refused', async () => {
    await ask('CREATE SCHEMA odd');
    await ask('CREATE TABLE odd.channels ()');
    await setPath('odd, public');
    await expect(checkSchema(database.url)).rejects.toThrow(
      /is 'odd, public', in which another table comes before public\.channels: change it with ALTER/,
    );
  });
});

test('D-680 an empty database without a schema for new tables is refused', async () => {
  const empty = await emptyDatabase();
  await alterDatabase(empty.url, 'SET search_path = absent');
  await expect(migrate(empty.url)).rejects.toThrow(
    /is 'absent', which names no schema that exists: change it/,
  );
  await empty.drop();
});
