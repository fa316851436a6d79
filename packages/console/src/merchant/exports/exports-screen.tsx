/** Scheduled exports: what is sent by itself, to whom, and how that went (D-384). */
import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import type { StatementExport, StatementExports } from '../../api/merchants.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Status, words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { textsOf } from '../../texts/texts.ts';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { Deliveries } from './deliveries.tsx';
import { ExportForm } from './export-form.tsx';

const t = textsOf('wallet');

const refreshOf = (merchant_no: string) => ['merchant', merchant_no, 'exports'];

export function ExportsScreen() {
  const merchant_no = useMerchantNo();
  const mayWrite = useMayWrite('exports');
  const exports = useQuery({
    queryKey: refreshOf(merchant_no),
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/statement-exports', {
          params: { path: { merchant_no } },
          signal,
        }),
      ),
    refetchInterval: 30_000,
  });
  const { data } = exports;
  return (
    <Page
      title={t('scheduled_exports')}
      about={t('statements_that_are_sent_by_themselves')}
      actions={mayWrite && data !== undefined && <NewExport known={data} merchant_no={merchant_no} />}
    >
      <Loaded of={exports}>
        {(known) =>
          known.items.length === 0 ? (
            <Empty title={t('no_scheduled_exports_yet')}>{t('schedule_one_to_get_each_statement')}</Empty>
          ) : (
            known.items.map((one, at) => (
              <OneExport key={one.export_id} of={one} number={at + 1} known={known} mayWrite={mayWrite} />
            ))
          )
        }
      </Loaded>
    </Page>
  );
}

const NewExport = ({ known, merchant_no }: { known: StatementExports; merchant_no: string }) => (
  <ExportForm
    label={t('new_scheduled_export')}
    title={t('new_scheduled_export')}
    icon={<IconPlus size={16} />}
    variant="filled"
    known={known}
    refresh={refreshOf(merchant_no)}
    save={(body) =>
      answerOf(
        api.POST('/console/v1/merchants/{merchant_no}/statement-exports', {
          params: { path: { merchant_no } },
          body,
        }),
      )
    }
  />
);

interface OneProps {
  of: StatementExport;
  known: StatementExports;
  mayWrite: boolean;
  number: number;
}

function OneExport({ of, known, mayWrite, number }: OneProps) {
  const merchant_no = useMerchantNo();
  const { recipients } = known;
  const people = of.user_ids.map(
    (id) => recipients.find(({ user_id }) => user_id === id)?.email ?? t('former_member'),
  );
  return (
    <Panel
      title={`${words(of.frequency)} · ${of.time_zone}`}
      actions={mayWrite && <Actions of={of} known={known} merchant_no={merchant_no} />}
    >
      {of.failing_since !== null && (
        <Alert color="orange" icon={<IconAlertTriangle size={18} />} mb="sm">
          {t.rich('failing_since_time', { time: <Time at={of.failing_since} /> })}
        </Alert>
      )}
      <Facts
        of={[
          [t('status'), <Status key="status" value={of.paused ? 'paused' : 'active'} />],
          [t('team_members_by_mail'), people.length === 0 ? undefined : people.join(', ')],
          [t('https_address'), of.url === null ? undefined : <span className="identifier">{of.url}</span>],
          [
            t('next_one'),
            of.next_at === null
              ? undefined
              : t.rich('period_sent_at_time', { period: of.next_period, time: <Time at={of.next_at} /> }),
          ],
        ]}
      />
      <Deliveries of={of} recipients={recipients} merchant_no={merchant_no} number={number} />
    </Panel>
  );
}

interface ActionsProps extends Omit<OneProps, 'mayWrite' | 'number'> {
  merchant_no: string;
}

function Actions({ of, known, merchant_no }: ActionsProps) {
  const { export_id, frequency, time_zone, with_pdf, user_ids, url, paused } = of;
  const params = { path: { merchant_no, export_id } };
  const refresh = refreshOf(merchant_no);
  const change = (body: Parameters<Parameters<typeof ExportForm>[0]['save']>[0]) =>
    answerOf(api.PUT('/console/v1/merchants/{merchant_no}/statement-exports/{export_id}', { params, body }));
  return (
    <>
      <ActionButton
        label={t('send_now')}
        size="xs"
        title={t('send_the_last_period_now')}
        confirm={t('send')}
        refresh={refresh}
        consequences={() => [t('every_recipient_gets_the_statement_of')]}
        submit={() =>
          answerOf(
            api.POST('/console/v1/merchants/{merchant_no}/statement-exports/{export_id}/sending', { params }),
          )
        }
        done={() => t('it_is_sent_within_seconds')}
      />
      <ExportForm
        label={t('edit')}
        size="xs"
        title={t('edit_scheduled_export')}
        known={known}
        of={of}
        refresh={refresh}
        save={change}
      />
      <ActionButton
        label={paused ? t('resume') : t('pause')}
        size="xs"
        title={paused ? t('resume_this_scheduled_export') : t('pause_this_scheduled_export')}
        confirm={paused ? t('resume') : t('pause')}
        refresh={refresh}
        consequences={() => [
          paused ? t('the_running_period_is_sent_after') : t('nothing_is_sent_until_you_resume'),
        ]}
        submit={() => change({ frequency, time_zone, with_pdf, user_ids, url, paused: !paused })}
        done={() => t('the_scheduled_export_is_saved')}
      />
      <ActionButton
        label={t('delete')}
        size="xs"
        color="red"
        title={t('delete_this_scheduled_export')}
        confirm={t('delete')}
        danger
        refresh={refresh}
        consequences={() => [t('nothing_more_is_sent_to_its')]}
        submit={() =>
          answerOf(
            api.DELETE('/console/v1/merchants/{merchant_no}/statement-exports/{export_id}', { params }),
          )
        }
        done={() => t('deleted')}
      />
    </>
  );
}
