<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** The answer to a creation. */
final class CreatedOrder extends Model
{
    /**
     * @param string $paymentNo empty until a channel is selected
     * @param string $amount the invoice amount with the decimals of its currency; compare it with `Money::same`, with the currency
     * @param string $status `pending`, `paid`, `review`, `expired`, `refunded` or `chargeback`, or one of a later version
     * @param string $checkoutUrl for the buyer's browser; its query contains a token: never log it; it is no proof of payment
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
        public readonly ?string $returnUrl = null,
    ) {
    }
}
