import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { OwnMerchant } from '../api/merchants.ts';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('merchant');

interface SwitcherProps {
  merchant_no: string;
  merchants: readonly OwnMerchant[];
}

/** Switches to another merchant. */
export function SwitcherList({ merchant_no, merchants }: SwitcherProps) {
  const navigate = useNavigate();
  return (
    <Select
      aria-label={t('merchant')}
      data={merchants.map((one) => ({ value: one.merchant_no, label: one.name }))}
      value={merchant_no}
      allowDeselect={false}
      searchable={merchants.length > 8}
      onChange={(chosen) => {
        if (chosen === null || chosen === merchant_no) return;
        void navigate({ to: '/console/merchants/$merchant_no', params: { merchant_no: chosen } });
      }}
      w={{ base: 150, xs: 220 }}
      size="sm"
    />
  );
}
