import { walletAccounts } from '@paydesk/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { merchantNo } from '../../base/ids.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { actorOf, type ByMerchant, memberOf } from '../request/member.ts';
import { monthOf, monthsSince } from './month.ts';
import { openStatement } from './statement.ts';
import { statementCsv } from './statement-csv.ts';
import { statementPdf } from './statement-pdf.ts';

interface ByMonth {
  Params: ByMerchant['Params'] & { month: string };
}

/** Monthly statements: which months there are, and each as a file. */
export function statementRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db, clock } = deps;
  const admit = exportLimit({ ...deps, actorOf });

  app.get<ByMerchant>('/statements', (request) => {
    const { merchant } = memberOf(request);
    const months = monthsSince(merchant.created_at, clock.now());
    return { items: months.map(({ month, complete }) => ({ month, complete })) };
  });

  const send =
    (kind: 'csv' | 'pdf') =>
    async (request: FastifyRequest<ByMonth>, reply: FastifyReply): Promise<FastifyReply> => {
      const month = monthOf(request.params.month, clock.now());
      await admit(request);
      const { merchant } = memberOf(request);
      const merchant_no = merchantNo(merchant.merchant_id);
      const statement = await openStatement(db, merchant.merchant_id, month, walletAccounts);
      const heading = { platform: deps.branding.current().name, merchant: merchant.name, merchant_no };
      return reply
        .type(kind === 'csv' ? 'text/csv; charset=utf-8' : 'application/pdf')
        .header('content-disposition', `attachment; filename="statement-${month.month}.${kind}"`)
        .send(
          kind === 'csv'
            ? Readable.from(statementCsv(statement), { objectMode: false })
            : statementPdf(statement, heading),
        );
    };
  const options = { exposeHeadRoute: false } as const;
  app.get<ByMonth>('/statements/:month/statement.csv', options, send('csv'));
  app.get<ByMonth>('/statements/:month/statement.pdf', options, send('pdf'));
}
