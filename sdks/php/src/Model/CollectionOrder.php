<?php

declare(strict_types=1);

namespace Paydesk\Model;

use Paydesk\OrderState;

/** A collection order as read and list return it. */
final class CollectionOrder extends Model
{
    /**
     * @param string $checkoutUrl for the buyer's browser; its query contains a token: never log it; it is no proof of payment
     * @param int $statusVersion rises with each status change of this order; do not compare it between orders
     * @param string $merchantFeePtk like the others with `Ptk` a whole number of the eighth decimal
     * @param ?string $eventId the confirmed payment, if there is one; post once per event
     * @param ?string $occurredAt the time when the payment was confirmed, in the channel's time zone
     */
    public function __construct(
        public readonly string $orderNo,
        public readonly string $externalReference,
        public readonly string $paymentNo,
        public readonly string $amount,
        public readonly int $amountMinor,
        public readonly string $currency,
        public readonly int $currencyDecimals,
        public readonly string $status,
        public readonly bool $testMode,
        public readonly string $checkoutUrl,
        public readonly string $expiresAt,
        public readonly int $statusVersion,
        public readonly string $feeStatus,
        public readonly int $feeVersion,
        public readonly string $merchantFeePtk,
        public readonly string $grossSettlementPtk,
        public readonly ?string $returnUrl = null,
        public readonly ?string $eventId = null,
        public readonly ?string $providerTradeNo = null,
        public readonly ?string $occurredAt = null,
        public readonly ?string $paymentAmount = null,
        public readonly ?string $paymentCurrency = null,
        public readonly ?string $buyerFee = null,
        public readonly ?string $merchantFee = null,
        public readonly ?string $settlementPtk = null,
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
