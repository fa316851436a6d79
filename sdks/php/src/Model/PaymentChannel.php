<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** A channel that an order can be restricted to. */
final class PaymentChannel extends Model
{
    public function __construct(
        public readonly string $paymentNo,
        public readonly string $name,
        public readonly string $provider,
        public readonly string $owner,
        public readonly string $currency,
        public readonly bool $loginRequired,
        public readonly bool $testMode,
    ) {
    }
}
