<?php

declare(strict_types=1);

namespace Paydesk\Model;

use Paydesk\OrderState;

/** The order at the time when the notification was generated. */
final class NotificationData extends Model
{
    /** @param ?string $eventId the confirmed payment: post once per event; it differs from the notification's id */
    public function __construct(
        public readonly string $orderNo,
        public readonly string $externalReference,
        public readonly string $paymentNo,
        public readonly string $amount,
        public readonly int $amountMinor,
        public readonly string $currency,
        public readonly int $currencyDecimals,
        public readonly string $status,
        public readonly int $statusVersion,
        public readonly bool $testMode,
        public readonly string $expiresAt,
        public readonly ?string $eventId = null,
        public readonly ?string $providerTradeNo = null,
        public readonly ?string $occurredAt = null,
    ) {
    }

    /** What `Posting::decide` needs. */
    public function state(): OrderState
    {
        return new OrderState(
            $this->externalReference,
            $this->amount,
            $this->currency,
            $this->status,
            $this->statusVersion,
            $this->testMode,
            $this->eventId,
        );
    }
}
