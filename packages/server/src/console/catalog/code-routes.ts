import { UploadProductCodes, WithdrawProductCodes } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { readCodesLeft, uploadCodes, withdrawCodes } from '../../catalog/fulfilment/index.ts';
import { reader } from '../../base/input/decode.ts';
import { invalid } from '../../base/errors.ts';
import { changeAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

const readUpload = reader(UploadProductCodes);
const readWithdrawal = reader(WithdrawProductCodes);

interface ByProduct {
  Params: ByMerchant['Params'] & { gd_no: string };
}

/** The codes of a product: how many are left, uploading more, withdrawing some. Codes are never shown here. */
export function codeRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  app.get<ByProduct>('/products/:gd_no/codes', (request) =>
    readCodesLeft(deps.db, memberOf(request).merchant.merchant_id, request.params.gd_no),
  );

  app.post<ByProduct>('/products/:gd_no/codes', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    const { gd_no } = request.params;
    const { codes } = readUpload(request.body);
    const act = { actor, action: 'product.upload-codes' };
    const { answer } = await changeAsMember(deps, request, act, async (tx) => {
      const uploaded = await uploadCodes(deps, tx, { merchant_id: merchant.merchant_id, gd_no }, codes);
      const { added, known, in_stock } = uploaded;
      return {
        target: `product:${gd_no}`,
        before: null,
        after: { added, known, in_stock },
        answer: uploaded,
      };
    });
    return reply.code(201).send(answer);
  });

  app.post<ByProduct>('/products/:gd_no/codes/withdrawal', async (request) => {
    const { actor, merchant } = memberOf(request);
    const { gd_no } = request.params;
    const { codes, all } = readWithdrawal(request.body);
    if ((codes === undefined) === (all === undefined)) throw invalid('codes', 'Send either codes or all.');
    const act = { actor, action: 'product.withdraw-codes' };
    const { answer } = await changeAsMember(deps, request, act, async (tx) => {
      const product = { merchant_id: merchant.merchant_id, gd_no };
      const gone = await withdrawCodes(deps, tx, product, codes ?? 'all');
      const { withdrawn, passed_over, in_stock } = gone;
      return {
        target: `product:${gd_no}`,
        before: null,
        after: { withdrawn, passed_over, in_stock },
        answer: gone,
      };
    });
    return answer;
  });
}
