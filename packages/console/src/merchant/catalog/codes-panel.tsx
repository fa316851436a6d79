import { SimpleGrid } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { textOf } from '../../components/dialog/fields.ts';
import { Stat } from '../../components/figures/stat.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { useMayWrite } from '../merchant-no.ts';

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
      title="Codes"
      about="Where codes are uploaded, a paid order gets as many as were ordered and is completed by itself. They are kept sealed, and never shown here."
      actions={
        mayWrite && (
          <>
            <WithdrawCodes merchant_no={merchant_no} gd_no={gd_no} />
            <ActionButton
              label="Upload codes"
              icon={<IconUpload size={16} />}
              title="Upload codes"
              confirm="Upload"
              fields={[
                {
                  name: 'codes',
                  label: 'Codes',
                  kind: 'lines',
                  about: 'One on each line, at most 1000 at a time.',
                  required: true,
                },
              ]}
              consequences={() => [
                'Paid orders that wait for codes get theirs first.',
                'From then on the stock is what is left of the codes.',
              ]}
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
                `${added} codes were taken in${known === 0 ? '' : `, ${known} were known already`}.`
              }
            />
          </>
        )
      }
    >
      <Loaded of={codes} lines={2}>
        {({ left, given, in_stock }) => (
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Stat name="Left" value={left.toLocaleString('en')} />
            <Stat name="Gone out" value={given.toLocaleString('en')} />
            <Stat name="Can be ordered" value={in_stock.toLocaleString('en')} />
          </SimpleGrid>
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
      label="Withdraw codes"
      icon={<IconTrash size={16} />}
      title="Withdraw codes"
      confirm="Withdraw"
      danger
      fields={[
        {
          name: 'which',
          label: 'Which',
          kind: 'choice',
          choices: [
            { value: 'some', label: 'Some' },
            { value: 'all', label: 'All that have not gone out' },
          ],
          initial: 'some',
          required: true,
        },
        {
          name: 'codes',
          label: 'Codes',
          kind: 'lines',
          about: 'One on each line, as they were uploaded, at most 1000 at a time.',
          required: true,
          when: ({ which }) => which === 'some',
        },
      ]}
      consequences={() => [
        'They are deleted, and go out to nobody.',
        'Codes that have gone out stay with their orders.',
        'Paid orders that then lack codes wait for new ones.',
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
        `${withdrawn} codes were withdrawn${passed_over === 0 ? '' : `, ${passed_over} passed over`}.`
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
