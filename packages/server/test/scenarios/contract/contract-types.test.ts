import type { CheckoutState as PageState } from '@paydesk/checkout';
import {
  type CheckoutState,
  type CollectionOrder,
  type CreatedCollectionOrder,
  operations,
  type DeliveryAttempt as PublicAttempt,
  type DeliveryRecord as PublicRecord,
  type PaymentChannel,
  scopeDescriptions,
  StatusNotification,
  type StatusSnapshot,
} from '@paydesk/contract';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { systemIds } from '../../../src/base/ids.ts';
import type { DirectoryEntry } from '../../../src/channels/directory.ts';
import type { createdJson, orderJson } from '../../../src/collection/orders/order-json.ts';
import { limitGroups } from '../../../src/http/rate-limit.ts';
import {
  newNotificationId,
  type ReportedOrder,
  statusEvent,
} from '../../../src/notifications/events/event.ts';
import type { DeliveryRecord } from '../../../src/notifications/delivery-records/records.ts';
import { faultsOf } from '../../support/rules/contract.ts';

/** Members that are there in every value of `T`. */
type Always<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

describe('the code matches the contract', () => {
  test('the state that the contract describes is one that the page takes, with the same members', () => {
    expectTypeOf<CheckoutState>().toExtend<PageState>();
    expectTypeOf<keyof CheckoutState>().toEqualTypeOf<keyof PageState>();
    expectTypeOf<Always<CheckoutState>>().toEqualTypeOf<Always<PageState>>();
    expectTypeOf<keyof CheckoutState['methods'][number]>().toEqualTypeOf<
      keyof PageState['methods'][number]
    >();
    expectTypeOf<keyof NonNullable<CheckoutState['attempt']>>().toEqualTypeOf<
      keyof NonNullable<PageState['attempt']>
    >();
    expectTypeOf<CheckoutState['buyer']>().toEqualTypeOf<PageState['buyer']>();
    expectTypeOf<CheckoutState['merchant']>().toEqualTypeOf<PageState['merchant']>();
  });

  test('R-052, R-053 orders are written with the members of the contract, amounts as bigint', () => {
    expectTypeOf<ReturnType<typeof createdJson>>().toExtend<CreatedCollectionOrder>();
    expectTypeOf<keyof ReturnType<typeof createdJson>>().toEqualTypeOf<keyof CreatedCollectionOrder>();
    expectTypeOf<ReturnType<typeof orderJson>>().toExtend<CollectionOrder>();
  });

  test('R-151, R-290 so are directory entries and delivery records', () => {
    expectTypeOf<keyof DirectoryEntry>().toEqualTypeOf<keyof PaymentChannel>();
    expectTypeOf<keyof DeliveryRecord>().toEqualTypeOf<keyof PublicRecord>();
    expectTypeOf<keyof DeliveryRecord['delivery_attempts'][number]>().toEqualTypeOf<keyof PublicAttempt>();
  });

  test('R-262, R-263 an event is written as the schema says', () => {
    expectTypeOf<keyof StatusNotification>().toEqualTypeOf<
      'id' | 'type' | 'api_version' | 'created_at' | 'data'
    >();
    expectTypeOf<keyof StatusSnapshot>().toEqualTypeOf<
      Exclude<keyof ReportedOrder, 'confirmation'> | 'event_id' | 'provider_trade_no' | 'occurred_at'
    >();
    const at = new Date('2026-03-02T09:30:00.000Z');
    const data: ReportedOrder = {
      order_no: 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
      external_reference: 'a',
      payment_no: '',
      amount: '90071992.54740991',
      amount_minor: 9_007_199_254_740_991n,
      currency: 'PTK',
      currency_decimals: 8,
      status: 'pending',
      status_version: 1,
      test_mode: false,
      expires_at: at,
      confirmation: null,
    };
    const text = statusEvent({ id: newNotificationId(systemIds(), at), created_at: at, data });
    expect(faultsOf(StatusNotification, JSON.parse(text))).toEqual([]);
  });

  test('R-327, R-328, R-329, R-330 the limits that the document tells of are those that count', () => {
    const told = operations.flatMap(({ limits }) => limits);
    const groups = Object.fromEntries(
      told.map(({ group, requests, window_s }) => [group, { points: requests, window_s }]),
    );
    expect(limitGroups).toMatchObject(groups);
    expect(Object.keys(groups).sort()).toEqual(
      [
        'catalog_read',
        'catalog_write',
        'checkout_read',
        'checkout_start',
        'create',
        'exports',
        'invitations',
        'read',
        'reconciliation',
        'records',
        'replay',
        'revoke',
        'second_factor',
        'sign_in',
        'sign_in_account',
        'sign_in_address',
        'test_events',
        'token_failures',
      ].sort(),
    );
  });

  test('R-310 the scopes that the document tells of are those of the calls', () => {
    const used = operations.flatMap(({ security }) =>
      security.by === 'merchant_token' || security.by === 'any_token' ? [security.scope] : [],
    );
    expect([...new Set(used)].sort()).toEqual(Object.keys(scopeDescriptions).sort());
  });
});
