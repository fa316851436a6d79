/** What a dispute's evidence consists of, and its limits at the provider. */

/** Texts with the most characters that each may have. */
export const evidence_texts: { readonly [field: string]: number } = {
  access_activity_log: 20_000,
  billing_address: 5000,
  cancellation_policy_disclosure: 20_000,
  cancellation_rebuttal: 20_000,
  customer_email_address: 5000,
  customer_name: 5000,
  customer_purchase_ip: 5000,
  duplicate_charge_explanation: 20_000,
  duplicate_charge_id: 5000,
  product_description: 20_000,
  refund_policy_disclosure: 20_000,
  refund_refusal_explanation: 20_000,
  service_date: 5000,
  shipping_address: 5000,
  shipping_carrier: 5000,
  shipping_date: 5000,
  shipping_tracking_number: 5000,
  uncategorized_text: 20_000,
};

/** Members that are the id of an uploaded file. */
export const evidence_files: readonly string[] = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
];

export const evidence_fields: readonly string[] = [...Object.keys(evidence_texts), ...evidence_files];

/** Characters of all texts of a dispute. */
export const most_evidence_characters = 150_000;

/** Bytes of all files of a dispute. */
export const most_evidence_bytes = 4_500_000;

/** How long the bank waits for evidence, if nothing else is asked. */
export const usual_due_seconds = 7 * 86_400;
