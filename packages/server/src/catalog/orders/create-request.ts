/** Decodes the bodies that create a catalog order and start its payment. It reads no live data. */
import { AppError, invalid } from '../../base/errors.ts';
import { isJsonObject, type JsonValue } from '../../base/input/json.ts';

/** A well-formed request for a catalog order. */
export interface OrderRequest {
  gd_no: string;
  quantity: number;
  payment_no: string;
  /** The buyer's inputs by key, trimmed, without empty ones. */
  other_ipu: Record<string, string>;
}

/** The largest possible stock. */
const mostItems = 2_147_483_647;
const mostBytes = 500;

/**
 * Reads a request for a catalog order. Number and channel are required, the quantity is a positive integer
 * inputs are texts. Totals, prices and buyers in the request are ignored.
 *
 * @throws AppError `invalid_request` with the invalid member: what cannot be parsed is 400
 */
export function decodeOrderRequest(body: JsonValue | undefined): OrderRequest {
  if (!isJsonObject(body)) {
    throw new AppError('invalid_request', { description: 'The body must be a JSON object.' });
  }
  return {
    gd_no: readText('gd_no', body.gd_no),
    quantity: readQuantity(body.quantity),
    payment_no: readText('payment_no', body.payment_no),
    other_ipu: readInputs(body.other_ipu),
  };
}

/** Reads the body that starts a payment. Throws AppError `invalid_request`. */
export function decodePaymentRequest(body: JsonValue | undefined): { payment_no: string } {
  if (!isJsonObject(body)) {
    throw new AppError('invalid_request', { description: 'The body must be a JSON object.' });
  }
  return { payment_no: readText('payment_no', body.payment_no) };
}

function readText(field: string, value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '') throw invalid(field, `${field} must be a non-empty text.`);
  return text;
}

/** Reads a whole number (D-013). A number above the largest stock becomes one that no stock has (D-1250). */
function readQuantity(value: JsonValue | undefined): number {
  const quantity = typeof value === 'number' || typeof value === 'bigint' ? value : 0;
  if (quantity < 1) throw invalid('quantity', 'quantity must be a positive whole number.');
  return quantity > mostItems ? mostItems + 1 : Number(quantity);
}

function readInputs(value: JsonValue | undefined): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) throw invalid('other_ipu', 'other_ipu must be an object of texts.');
  const entries = Object.entries(value).map(([key, entered]) => {
    if (typeof entered !== 'string') throw invalid(`other_ipu.${key}`, 'An input must be a text.');
    const text = entered.trim();
    if (Buffer.byteLength(text, 'utf8') > mostBytes) {
      throw invalid(`other_ipu.${key}`, `An input must have at most ${mostBytes} bytes.`);
    }
    return [key, text] as const;
  });
  return Object.fromEntries(entries.filter(([, text]) => text !== ''));
}
