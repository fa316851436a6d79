/** The calls of the merchant's catalog and settings. */
import { queryOptions } from '@tanstack/react-query';
import type { Fixed8 } from '../money/fixed8.ts';
import { answerOf, api, type components } from './client.ts';
import type { PageAsked } from './list.ts';

type Schemas = components['schemas'];
type Price = 'actual_price' | 'retail_price';

/** A product as its owner manages it. Prices that a browser would round are texts (exact-json.ts). */
export type ManagedProduct = Omit<Schemas['ManagedProduct'], Price> & Record<Price, Fixed8>;
export type NewProduct = Schemas['NewProduct'];
export type ProductChange = Schemas['ProductChange'];
/** The settings that the owner of a merchant decides. */
export type MerchantSettings = Schemas['MerchantSettings'];
export type MerchantSettingsChange = Schemas['MerchantSettingsChange'];

export const listProducts = (merchant_no: string, query: PageAsked, signal: AbortSignal) =>
  answerOf(
    api.GET('/console/v1/merchants/{merchant_no}/products', {
      params: { path: { merchant_no }, query },
      signal,
    }),
  );

export const createProduct = (merchant_no: string, body: NewProduct): Promise<ManagedProduct> =>
  answerOf(
    api.POST('/console/v1/merchants/{merchant_no}/products', { params: { path: { merchant_no } }, body }),
  );

export const readProduct = (
  merchant_no: string,
  gd_no: string,
  signal: AbortSignal,
): Promise<ManagedProduct> =>
  answerOf(
    api.GET('/console/v1/merchants/{merchant_no}/products/{gd_no}', {
      params: { path: { merchant_no, gd_no } },
      signal,
    }),
  );

export const changeProduct = (
  merchant_no: string,
  gd_no: string,
  body: ProductChange,
): Promise<ManagedProduct> =>
  answerOf(
    api.PATCH('/console/v1/merchants/{merchant_no}/products/{gd_no}', {
      params: { path: { merchant_no, gd_no } },
      body,
    }),
  );

/** The channels that serve a merchant. */
export const paymentChannelsQuery = (merchant_no: string) =>
  queryOptions({
    queryKey: ['merchant', merchant_no, 'payment-channels'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/payment-channels', {
          params: { path: { merchant_no } },
          signal,
        }),
      ),
  });

export const readSettings = (merchant_no: string, signal: AbortSignal): Promise<MerchantSettings> =>
  answerOf(
    api.GET('/console/v1/merchants/{merchant_no}/settings', { params: { path: { merchant_no } }, signal }),
  );

export const changeSettings = (
  merchant_no: string,
  body: MerchantSettingsChange,
): Promise<MerchantSettings> =>
  answerOf(
    api.PATCH('/console/v1/merchants/{merchant_no}/settings', { params: { path: { merchant_no } }, body }),
  );
