/** The members of evidence, as a form asks for them. */
import type { DisputeFileField, DisputeTextField } from '@paydesk/contract';
import type { Dispute } from '../../api/admin.ts';
import type { Field } from '../../components/dialog/fields.ts';
import { listOf, textOf, type Values } from '../../components/dialog/fields.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-disputes');

/** Each text with its name, and whether it may have many lines. */
const textNames: Readonly<Record<DisputeTextField, readonly [name: string, isLong: boolean]>> = {
  uncategorized_text: [t('explanation'), true],
  product_description: [t('what_was_sold'), true],
  customer_name: [t('buyers_name'), false],
  customer_email_address: [t('buyers_email_address'), false],
  customer_purchase_ip: [t('buyers_ip_address'), false],
  billing_address: [t('billing_address'), true],
  service_date: [t('date_of_service'), false],
  shipping_address: [t('shipping_address'), true],
  shipping_carrier: [t('carrier'), false],
  shipping_date: [t('shipping_date'), false],
  shipping_tracking_number: [t('tracking_number'), false],
  access_activity_log: [t('activity_log'), true],
  refund_policy_disclosure: [t('how_the_refund_policy_was_shown'), true],
  refund_refusal_explanation: [t('why_there_is_no_refund'), true],
  cancellation_policy_disclosure: [t('how_the_cancellation_policy_was_shown'), true],
  cancellation_rebuttal: [t('why_the_subscription_was_not_cancelled'), true],
  duplicate_charge_id: [t('id_of_the_other_charge'), false],
  duplicate_charge_explanation: [t('how_the_charges_differ'), true],
};

export const fileNames: Readonly<Record<DisputeFileField, string>> = {
  receipt: t('receipt'),
  customer_communication: t('messages_with_the_buyer'),
  customer_signature: t('buyers_signature'),
  shipping_documentation: t('proof_of_shipping'),
  service_documentation: t('proof_of_service'),
  refund_policy: t('refund_policy'),
  cancellation_policy: t('cancellation_policy'),
  duplicate_charge_documentation: t('papers_about_the_other_charge'),
  uncategorized_file: t('another_file'),
};

/** The files, to choose from. */
export const fileChoices = Object.entries(fileNames).map(([value, label]) => ({ value, label }));

export const nameOfText = (field: DisputeTextField): string => textNames[field][0];

const allTexts = Object.keys(textNames) as DisputeTextField[];

/** The texts that a form shows at once; the others are chosen. */
const usual: readonly DisputeTextField[] = ['uncategorized_text', 'product_description', 'customer_name'];

/** The fields of the form for a dispute. */
export const evidenceFields = ({ files }: { files: readonly Dispute['files'][number][] }): Field[] => [
  ...usual.map((field) => textField(field)),
  {
    name: 'more',
    label: t('more_details'),
    about: t('choose_what_you_can_prove'),
    kind: 'choices',
    choices: allTexts
      .filter((field) => !usual.includes(field))
      .map((field) => ({ value: field, label: nameOfText(field) })),
  },
  ...allTexts
    .filter((field) => !usual.includes(field))
    .map((field) => textField(field, (values) => listOf(values, 'more').includes(field))),
  ...(files.length === 0
    ? []
    : [
        {
          name: 'files',
          label: t('files'),
          kind: 'choices',
          choices: fileChoices.filter(({ value }) => files.some(({ field }) => field === value)),
          initial: files.map(({ field }) => field),
        } as const,
      ]),
];

function textField(name: DisputeTextField, when?: (values: Values) => boolean): Field {
  const [label, isLong] = textNames[name];
  return { name, label, kind: isLong ? 'lines' : 'text', ...(when === undefined ? {} : { when }) };
}

/** The body of the call, from what was entered. */
export function evidenceOf(values: Values): {
  texts: Partial<Record<DisputeTextField, string>>;
  files: string[];
} {
  const shown = allTexts.filter((field) => usual.includes(field) || listOf(values, 'more').includes(field));
  const entered = shown.filter((field) => textOf(values, field) !== '');
  return {
    texts: Object.fromEntries(entered.map((field) => [field, textOf(values, field)])),
    files: listOf(values, 'files'),
  };
}
