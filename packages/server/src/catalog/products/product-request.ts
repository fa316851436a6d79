/** Reads the bodies that create and change a product. Prices are integers at 8-decimal fixed point (D-182). */
import { NewProduct, ProductChange } from '@paydesk/contract';
import { reader } from '../../base/input/decode.ts';
import { isJsonObject, type JsonValue } from '../../base/input/json.ts';
import type { NewProductSettings, ProductSettings } from './save-product.ts';

const readNew = reader(NewProduct);
const readChange = reader(ProductChange);

/** Throws AppError `invalid_request`. */
export function readNewProduct(body: unknown): NewProductSettings {
  const { gd_name, currency, actual_price, ...rest } = readNew(withTextPrices(body));
  return { ...settingsOf(rest), gd_name, currency, actual_price: BigInt(actual_price) };
}

/** Throws AppError `invalid_request`. */
export const readProductChange = (body: unknown): ProductSettings =>
  settingsOf(readChange(withTextPrices(body)));

/** The strict reader gives integers beyond 2^53 as `bigint`. The schemas read prices as text. */
function withTextPrices(body: unknown): unknown {
  if (!isJsonObject(body as JsonValue)) return body;
  return Object.fromEntries(
    Object.entries(body as Record<string, JsonValue>).map(([member, value]) => [
      member,
      typeof value === 'bigint' ? value.toString() : value,
    ]),
  );
}

function settingsOf({ actual_price, retail_price, keywords, ...rest }: ProductChange): ProductSettings {
  return {
    ...rest,
    ...(actual_price === undefined ? {} : { actual_price: BigInt(actual_price) }),
    ...(retail_price === undefined ? {} : { retail_price: BigInt(retail_price) }),
    ...(keywords === undefined
      ? {}
      : { keywords: typeof keywords === 'string' ? keywords : keywords.join('\n') }),
  };
}
