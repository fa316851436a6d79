/** Says on the home screen that scheduled exports do not arrive. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Home } from '../../api/merchants.ts';
import { AppLink } from '../../components/page/link.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('merchant');

interface FailingExportsProps {
  exports: Home['failing_exports'];
  merchant_no: string;
}

export function FailingExports({ exports, merchant_no }: FailingExportsProps) {
  if (exports.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={18} />}
      title={t('count_scheduled_exports_are_failing', { count: exports.length })}
    >
      <AppLink to="/console/merchants/$merchant_no/exports" params={{ merchant_no }} size="sm">
        {t('check_scheduled_exports')}
      </AppLink>
    </Alert>
  );
}
