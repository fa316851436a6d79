import { openDatabases } from './dist/database.js';
import { fillProducts, searchOf } from './dist/products.js';
import { mkdtempSync } from 'node:fs';
const { migrate } = await import('../packages/server/dist/base/migrate.js');
const { openDatabase } = await import('../packages/server/dist/base/db.js');
const { gramsToFind, fold } = await import('../packages/server/dist/catalog/search-text.js');
const S = await import('../packages/server/dist/catalog/search.sql.js');
const dbs = await openDatabases(mkdtempSync('/tmp/ck/pg-'));
try {
  const d = await dbs.create('probe');
  await migrate(d.url, {});
  const m = '11111111-1111-1111-1111-111111111111';
  await d.query(
    `INSERT INTO products (merchant_id, gd_no, gd_name, gd_description, keywords, actual_price, retail_price, currency, in_stock, buy_limit_num, payment_policy, payment_methods, other_ipu_cnf, wholesale_price_cnf, buy_prompt, enabled, created_at, updated_at) VALUES ($1,'gd_pattern','x','','',1,0,'USD',5,0,'automatic','{}','{}','{}','',true,now(),now())`,
    [m],
  );
  await d.query(`INSERT INTO catalog_versions VALUES ($1, 1)`, [m]);
  console.time('fill');
  await fillProducts(d, 'gd_pattern', 100000);
  console.timeEnd('fill');
  const db = openDatabase({ url: d.url, max: 4, application_name: 'x', onError() {} });
  const capture = {
    query: (q) => {
      last = q;
      return db.query(q);
    },
  };
  let last;
  const kinds = [0, 6, 7, 8, 9];
  for (const k of kinds) {
    for (const [name, fn] of [
      ['counted', (s) => S.selectCounted(capture, s, 0, 20)],
      ['count', (s) => S.countProducts(capture, s)],
      ['few', (s) => S.selectFewNewest(capture, s, 0, 20)],
      ['many', (s) => S.selectManyNewest(capture, s, 0, 20)],
    ]) {
      const times = [];
      for (let i = 0; i < 12; i++) {
        const text = searchOf(i * 10 + k, 100000);
        const t = performance.now();
        await fn({ merchant_id: m, disabled_too: false, folded: fold(text) });
        times.push(performance.now() - t);
      }
      times.sort((a, b) => a - b);
      console.log(k, searchOf(k, 100000), name, 'median', times[6].toFixed(2), 'min', times[0].toFixed(2));
      if (process.env.EXPLAIN?.includes(`${k}${name}`)) {
        const r = await d.query('EXPLAIN (ANALYZE, BUFFERS) ' + last.text, last.values);
        console.log(r.map((x) => x['QUERY PLAN']).join('\n'));
      }
    }
  }
  await db.close();
} finally {
  await dbs.stop();
}
