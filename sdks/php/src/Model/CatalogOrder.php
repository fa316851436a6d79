<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** A catalog order of the person whose token was used. Amounts are the digits of whole numbers, times 10^8. */
final class CatalogOrder extends Model
{
    /**
     * @param int $status 0: pending payment; 1: paid and in processing; 2: cancelled; 3: completed
     * @param ?list<string> $paymentMethods
     * @param ?string $paidTime `YYYY-MM-DD HH:mm:ss` in UTC; null until the order is paid
     */
    public function __construct(
        public readonly string $orderNo,
        public readonly string $gdNo,
        public readonly string $title,
        public readonly int $quantity,
        public readonly int $status,
        public readonly string $statusLabel,
        public readonly string $currency,
        public readonly int $currencyDecimals,
        #[Whole] public readonly string $totalAmount,
        #[Whole] public readonly string $discountAmount,
        #[Whole] public readonly string $handlingAmount,
        #[Whole] public readonly string $payAmount,
        public readonly string $paymentCurrency,
        public readonly int $paymentCurrencyDecimals,
        #[Whole] public readonly string $paymentSubtotal,
        #[Whole] public readonly string $paymentHandlingAmount,
        #[Whole] public readonly string $paymentPayAmount,
        public readonly string $paymentNo,
        public readonly string $paymentName,
        public readonly string $tradeNo,
        public readonly ?array $paymentMethods = null,
        public readonly ?string $paidTime = null,
        public readonly ?string $createdAt = null,
        public readonly ?string $updatedAt = null,
    ) {
    }
}
