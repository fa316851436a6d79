import { SimpleGrid } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { ActionButton } from '../../components/action-dialog.tsx';
import { textOf } from '../../components/fields.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stat } from '../../components/stat.tsx';
import { useMayWrite } from '../merchant-no.ts';

/** Codes that go out by themselves, each once. They cannot be read again here. */
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
                    codes: textOf(values, 'codes')
                      .split(/\r?\n/)
                      .map((code) => code.trim())
                      .filter((code) => code !== ''),
                  },
                }),
              )
            }
            done={({ added, known }) =>
              `${added} codes were taken in${known === 0 ? '' : `, ${known} were known already`}.`
            }
          />
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
