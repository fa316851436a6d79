<?php

declare(strict_types=1);

namespace Paydesk;

/** Your own order, which a payment is compared with. */
final class Expected
{
    /** @param bool $acceptTestMode also accepts payments of test channels */
    public function __construct(
        public readonly string $externalReference,
        public readonly string $amount,
        public readonly string $currency,
        public readonly bool $acceptTestMode = false,
    ) {
    }
}
