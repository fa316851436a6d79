import { walletAccounts } from '@paydesk/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { merchantNo } from '../../base/ids.ts';
import { readTimeZone } from '../../base/time/zone-days.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { whileAllowed } from '../../http/lists/while-allowed.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { actorOf, type ByMerchant, type Listing, memberOf } from '../request/member.ts';
import { monthsSince, periodOf } from './period.ts';
import { openStatement } from './statement.ts';
import { statementCsv } from './statement-csv.ts';
import { readLanguage } from './wallet-line.ts';

interface ByPeriod extends Listing {
  Params: ByMerchant['Params'] & { period: string };
}

/** Statements: which months there are, and the statement of any month, week or day as a file. */
export function statementRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db, clock } = deps;
  const admit = exportLimit({ ...deps, actorOf });

  app.get<ByMerchant>('/statements', (request) => {
    const { merchant } = memberOf(request);
    const months = monthsSince(merchant.created_at, clock.now());
    return { items: months.map(({ name, complete }) => ({ month: name, complete })) };
  });

  const send =
    (kind: 'csv' | 'pdf') =>
    async (request: FastifyRequest<ByPeriod>, reply: FastifyReply): Promise<FastifyReply> => {
      const locale = readLanguage(request.query);
      const period = periodOf(request.params.period, clock.now(), readTimeZone(request.query.time_zone));
      await admit(request);
      const { merchant } = memberOf(request);
      const merchant_no = merchantNo(merchant.merchant_id);
      const statement = await openStatement(db, merchant.merchant_id, period, walletAccounts);
      const heading = {
        platform: deps.branding.current().name,
        merchant: merchant.name,
        merchant_no,
        locale,
      };
      const file =
        kind === 'csv'
          ? statementCsv(statement, locale)
          : (await import('./statement-pdf.ts')).statementPdf(statement, heading);
      return reply
        .type(kind === 'csv' ? 'text/csv; charset=utf-8' : 'application/pdf')
        .header('content-disposition', `attachment; filename="statement-${period.name}.${kind}"`)
        .send(Readable.from(whileAllowed<string | Buffer>(request, file), { objectMode: false }));
    };
  const options = { exposeHeadRoute: false } as const;
  app.get<ByPeriod>('/statements/:period/statement.csv', options, send('csv'));
  app.get<ByPeriod>('/statements/:period/statement.pdf', options, send('pdf'));
}
