/** Fees as administrators type them: the inputs, and the rules that they mean. */
import { ActionIcon, Button, Fieldset, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { createContext, useContext } from 'react';
import type { Channel, Currency } from '../../api/admin.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { decimalOf, minorOf } from '../../money/money.ts';
import { typedAmount } from '../../money/typed-amount.ts';
import { type FeeRule, percentOf, ppmOf } from './fees.ts';
import { decimalText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-money');

/** A rule as it is typed. */
export interface FeeDraft {
  fixed: string;
  percent: string;
  cap: string;
}

export interface FeesDraft {
  currency: string;
  buyer: FeeDraft;
  merchant: FeeDraft;
}

type StoredRule = Channel['fees'][number]['buyer'];

const draftOf = ({ fixed_minor, percent_ppm, cap_minor }: StoredRule, decimals: number): FeeDraft => ({
  fixed: decimalOf(BigInt(fixed_minor), decimals),
  percent: percentOf(percent_ppm),
  cap: cap_minor === null ? '' : decimalOf(BigInt(cap_minor), decimals),
});

/** The fees of a channel as they are edited. */
export const draftsOf = (fees: Channel['fees'], decimalsOf: (code: string) => number): FeesDraft[] =>
  fees.map(({ currency, buyer, merchant }) => ({
    currency,
    buyer: draftOf(buyer, decimalsOf(currency)),
    merchant: draftOf(merchant, decimalsOf(currency)),
  }));

export const freeDraft: FeeDraft = { fixed: '0', percent: '0', cap: '' };

/** The typed rule; null if one of its parts is no number. */
export function ruleOf({ fixed, percent, cap }: FeeDraft, decimals: number): FeeRule | null {
  const fixed_minor = minorOf(typedAmount(fixed), decimals);
  const percent_ppm = ppmOf(percent);
  const cap_minor = cap.trim() === '' ? null : minorOf(typedAmount(cap), decimals);
  const isWrong =
    fixed_minor === null ||
    fixed_minor < 0n ||
    percent_ppm === null ||
    (cap.trim() !== '' && cap_minor === null);
  return isWrong ? null : { fixed_minor, percent_ppm, cap_minor };
}

/** The typed fees as the service takes them; null if one of them cannot be read. */
export function feesOf(drafts: readonly FeesDraft[], decimalsOf: (code: string) => number) {
  const written = ({ fixed_minor, percent_ppm, cap_minor }: FeeRule) => ({
    fixed_minor: fixed_minor.toString(),
    percent_ppm,
    cap_minor: cap_minor?.toString() ?? null,
  });
  const fees = drafts.flatMap(({ currency, buyer, merchant }) => {
    const decimals = decimalsOf(currency);
    const [b, m] = [ruleOf(buyer, decimals), ruleOf(merchant, decimals)];
    return b === null || m === null || currency === ''
      ? []
      : [{ currency, buyer: written(b), merchant: written(m) }];
  });
  return fees.length === drafts.length ? fees : null;
}

interface RuleFieldsProps {
  legend: string;
  unit: string;
  value: FeeDraft;
  onChange: (value: FeeDraft) => void;
}

/** The inputs of a rule: a fixed part, a percentage, and a cap on the percentage. */
export function RuleFields({ legend, unit, value, onChange }: RuleFieldsProps) {
  return (
    <Fieldset legend={legend} variant="unstyled">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
        <TextInput
          label={t('fixed_unit', { unit })}
          value={value.fixed}
          inputMode="decimal"
          onChange={(event) => onChange({ ...value, fixed: event.currentTarget.value })}
        />
        <TextInput
          label={t('percent')}
          value={value.percent}
          inputMode="decimal"
          error={ppmOf(value.percent) === null ? t('enter_0_to_100_with_at_most') : undefined}
          onChange={(event) => onChange({ ...value, percent: event.currentTarget.value })}
        />
        <TextInput
          label={t('cap_unit', { unit })}
          placeholder={t('none_2')}
          value={value.cap}
          inputMode="decimal"
          onChange={(event) => onChange({ ...value, cap: event.currentTarget.value })}
        />
      </SimpleGrid>
    </Fieldset>
  );
}

interface FeeEditorProps {
  value: readonly FeesDraft[];
  currencies: readonly Currency[];
  /** Null for people who may only read the fees. */
  onChange: ((value: FeesDraft[]) => void) | null;
}

/**
 * For each currency, what the buyer pays on top and what the merchant gives up. A currency without fees cannot be
 * paid.
 */
export function FeeEditor({ value, currencies, onChange }: FeeEditorProps) {
  const change: Change | null = onChange && {
    currencies,
    replace: (at, fees) => onChange(value.map((one, index) => (index === at ? fees : one))),
    remove: (at) => onChange(value.filter((_, other) => other !== at)),
  };
  return (
    <Stack gap="sm">
      <Editing value={change}>
        <DataTable
          name={t('fees_by_currency')}
          columns={change === null ? feeColumns : [...feeColumns, removeColumn]}
          rows={value.map((fees, at) => ({ fees, at }))}
          rowKey={({ at }) => String(at)}
          empty={<Empty title={t('no_fees')}>{t('add_a_currency_without_one_the')}</Empty>}
        />
      </Editing>
      {onChange !== null && (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => onChange([...value, { currency: '', buyer: freeDraft, merchant: freeDraft }])}
          >
            {t('add_currency')}
          </Button>
        </div>
      )}
    </Stack>
  );
}

interface FeeRow {
  fees: FeesDraft;
  at: number;
}

interface Change {
  currencies: readonly Currency[];
  replace: (at: number, fees: FeesDraft) => void;
  remove: (at: number) => void;
}

/** What the cells change; null if nothing may be changed. */
const Editing = createContext<Change | null>(null);

const sideWords = { buyer: t('buyer'), merchant: t('merchant') } as const;

const partWords: Readonly<Record<keyof FeeDraft, string>> = {
  fixed: t('fixed'),
  percent: t('percent'),
  cap: t('cap'),
};

/** Says why a part cannot be saved, at its field (D-514); null if it can. */
export function errorOf(part: keyof FeeDraft, value: string, decimals: number): string | null {
  if (part === 'percent') return ppmOf(value) === null ? t('enter_0_to_100_with_at_most') : null;
  if (part === 'cap' && value.trim() === '') return null;
  return minorOf(typedAmount(value), decimals) === null
    ? t('enter_a_number_with_at_most', { decimals })
    : null;
}

interface FeeCellProps {
  row: FeeRow;
  side: 'buyer' | 'merchant';
  part: keyof FeeDraft;
}

/** One part of a rule. */
function FeeCell({ row: { fees, at }, side, part }: FeeCellProps) {
  const change = useContext(Editing);
  const value = fees[side][part];
  if (change === null) return part === 'cap' && value === '' ? t('none_2') : decimalText(value);
  const decimals = change.currencies.find(({ code }) => code === fees.currency)?.decimals ?? 12;
  return (
    <TextInput
      // Until a currency is chosen, the name has two words (D-1482).
      aria-label={[partWords[part], fees.currency, sideWords[side]].filter((word) => word !== '').join(', ')}
      w={80}
      placeholder={part === 'cap' ? t('none_2') : undefined}
      value={value}
      inputMode="decimal"
      error={errorOf(part, value, decimals)}
      onChange={(event) =>
        change.replace(at, { ...fees, [side]: { ...fees[side], [part]: event.currentTarget.value } })
      }
    />
  );
}

function CurrencyCell({ row: { fees, at } }: { row: FeeRow }) {
  const change = useContext(Editing);
  if (change === null) return fees.currency;
  return (
    <Select
      aria-label={t('currency')}
      data={change.currencies.map(({ code }) => code)}
      value={fees.currency === '' ? null : fees.currency}
      onChange={(currency) => change.replace(at, { ...fees, currency: currency ?? '' })}
      allowDeselect={false}
      w={96}
    />
  );
}

function RemoveCell({ row: { fees, at } }: { row: FeeRow }) {
  const change = useContext(Editing);
  return (
    <ActionIcon
      variant="subtle"
      color="red"
      aria-label={t('remove_currency', { currency: fees.currency })}
      onClick={() => change?.remove(at)}
    >
      <IconTrash size={16} />
    </ActionIcon>
  );
}

const feeColumns: Column<FeeRow>[] = [
  { header: t('currency'), cell: (row) => <CurrencyCell row={row} /> },
  ...(['buyer', 'merchant'] as const).flatMap((side) =>
    (['fixed', 'percent', 'cap'] as const).map((part) => ({
      header: `${sideWords[side]}: ${part === 'percent' ? '%' : partWords[part]}`,
      cell: (row: FeeRow) => <FeeCell row={row} side={side} part={part} />,
    })),
  ),
];

const removeColumn: Column<FeeRow> = { header: t('remove'), cell: (row) => <RemoveCell row={row} /> };
