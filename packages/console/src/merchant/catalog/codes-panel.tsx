import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { textOf } from '../../components/dialog/fields.ts';
import { Stat, Stats } from '../../components/figures/stat.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { useMayWrite } from '../merchant-no.ts';
import { numberText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('catalog');

/** The codes of a product, which are delivered automatically, each once. They cannot be read again here. */
export function CodesPanel({ merchant_no, gd_no }: { merchant_no: string; gd_no: string }) {
  const mayWrite = useMayWrite('orders');
  const params = { path: { merchant_no, gd_no } };
  const codes = useQuery({
    queryKey: ['merchant', merchant_no, 'codes', gd_no],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/console/v1/merchants/{merchant_no}/products/{gd_no}/codes', { params, signal })),
  });
  return (
    <Panel
      title={t('codes')}
      about={t('if_you_upload_codes_each_paid')}
      actions={
        mayWrite && (
          <>
            <WithdrawCodes merchant_no={merchant_no} gd_no={gd_no} />
            <ActionButton
              label={t('upload_codes')}
              icon={<IconUpload size={16} />}
              title={t('upload_codes')}
              confirm={t('upload')}
              fields={[
                {
                  name: 'codes',
                  label: t('codes'),
                  kind: 'lines',
                  about: t('one_per_line_at_most_1'),
                  required: true,
                },
              ]}
              consequences={() => [t('paid_orders_that_wait_for_codes'), t('from_then_on_the_number_of')]}
              submit={(values) =>
                answerOf(
                  api.POST('/console/v1/merchants/{merchant_no}/products/{gd_no}/codes', {
                    params,
                    body: {
                      codes: linesOf(textOf(values, 'codes')),
                    },
                  }),
                )
              }
              done={({ added, known }) =>
                t('codes_added_added_already_known_known', {
                  added,
                  known,
                })
              }
            />
          </>
        )
      }
    >
      <Loaded of={codes} lines={2}>
        {({ left, given, in_stock }) => (
          <Stats>
            <Stat name={t('remaining')} value={numberText(left)} />
            <Stat name={t('delivered')} value={numberText(given)} />
            <Stat name={t('available_to_order')} value={numberText(in_stock)} />
          </Stats>
        )}
      </Loaded>
    </Panel>
  );
}

/** Withdraws codes that were uploaded by mistake or are no longer valid. */
function WithdrawCodes({ merchant_no, gd_no }: { merchant_no: string; gd_no: string }) {
  const params = { path: { merchant_no, gd_no } };
  return (
    <ActionButton
      label={t('withdraw_codes')}
      icon={<IconTrash size={16} />}
      title={t('withdraw_codes')}
      confirm={t('withdraw')}
      danger
      fields={[
        {
          name: 'which',
          label: t('selection'),
          kind: 'choice',
          choices: [
            { value: 'some', label: t('selected_codes') },
            { value: 'all', label: t('all_undelivered_codes') },
          ],
          initial: 'some',
          required: true,
        },
        {
          name: 'codes',
          label: t('codes'),
          kind: 'lines',
          about: t('one_per_line_exactly_as_uploaded'),
          required: true,
          when: ({ which }) => which === 'some',
        },
      ]}
      consequences={() => [
        t('they_are_deleted_and_not_delivered'),
        t('delivered_codes_stay_with_their_orders'),
        t('paid_orders_without_a_code_wait'),
      ]}
      submit={(values) =>
        answerOf(
          api.POST('/console/v1/merchants/{merchant_no}/products/{gd_no}/codes/withdrawal', {
            params,
            body: values.which === 'all' ? { all: true } : { codes: linesOf(textOf(values, 'codes')) },
          }),
        )
      }
      done={({ withdrawn, passed_over }) =>
        t('codes_withdrawn_withdrawn_skipped_passed_ove', {
          withdrawn,
          passed_over,
        })
      }
    />
  );
}

/** The lines of a text that are not empty. */
const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
