<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** A product that is for sale. Prices are the digits of whole numbers: the price in `currency`, times 10^8. */
final class Product extends Model
{
    /**
     * @param int $currencyDecimals for display; it does not scale the prices
     * @param int $buyLimitNum the most that one order may have; 0 means no limit
     * @param ?list<string> $paymentMethods
     * @param ?list<string> $otherIpuCnf inputs that the buyer can or must give: `key=label=required`
     * @param ?list<string> $wholesalePriceCnf
     */
    public function __construct(
        public readonly string $gdNo,
        public readonly string $gdName,
        public readonly string $gdDescription,
        #[Whole] public readonly string $actualPrice,
        #[Whole] public readonly string $retailPrice,
        public readonly string $currency,
        public readonly int $currencyDecimals,
        public readonly int $inStock,
        public readonly int $buyLimitNum,
        public readonly string $paymentPolicy,
        public readonly ?array $paymentMethods = null,
        public readonly ?array $otherIpuCnf = null,
        public readonly ?array $wholesalePriceCnf = null,
        public readonly ?string $buyPrompt = null,
    ) {
    }
}
