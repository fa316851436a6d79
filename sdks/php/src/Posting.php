<?php

declare(strict_types=1);

namespace Paydesk;

/** Decides what to do with the state of an order: post, record, ignore, or report a mismatch. */
final class Posting
{
    /**
     * @param ?string $eventId the payment to post; null for other actions
     * @param list<string> $differences the members that do not match, as the API spells them
     */
    private function __construct(
        public readonly Action $action,
        public readonly ?string $eventId = null,
        public readonly array $differences = [],
    ) {
    }

    /** Whether a status confirms the payment. Only `paid` does; a status of a later version does not. */
    public static function isPaid(string $status): bool
    {
        return $status === 'paid';
    }

    /**
     * What to do with the current state of an order. `$stored` is null for an order that you have not stored.
     *
     * It is pure, so notifications, queries and reconciliation can all use it, as often as they like. Read `$stored` under a lock,
     * or rely on the unique event: two parallel calls must not post a payment twice.
     */
    public static function decide(?StoredState $stored, OrderState $order, Expected $expected): self
    {
        $differences = self::differences($expected, $order);
        if ($differences !== []) {
            return new self(Action::Mismatch, differences: $differences);
        }
        if ($stored !== null && $order->statusVersion < $stored->statusVersion) {
            return new self(Action::Ignore);
        }
        if (self::isPaid($order->status)) {
            $posted = $stored?->postedEventId;
            // Without an event there is no key for the posting. A second event for the same order is not posted either.
            if ($order->eventId === null || ($posted !== null && $posted !== $order->eventId)) {
                return new self(Action::Mismatch, differences: ['event_id']);
            }
            if ($posted === null) {
                return new self(Action::Post, $order->eventId);
            }
        }
        return new self($order->statusVersion === $stored?->statusVersion ? Action::Ignore : Action::Record);
    }

    /**
     * Amounts are compared as numbers, other members as text.
     *
     * @return list<string>
     */
    private static function differences(Expected $expected, OrderState $order): array
    {
        $amount = Money::canonical($expected->amount);
        // The service trims all white space of Unicode off a reference. \s would also take U+180E, which is none.
        $white = '[\t-\r\x{85}\p{Z}\x{feff}]+';
        $reference = preg_replace("/^$white|$white$/Du", '', $expected->externalReference);
        return array_keys(array_filter([
            'external_reference' => $reference !== $order->externalReference,
            'amount' => $amount === null || $amount !== Money::canonical($order->amount),
            'currency' => $expected->currency !== $order->currency,
            'test_mode' => $order->testMode && !$expected->acceptTestMode,
        ]));
    }
}
