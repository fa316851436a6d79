<?php

declare(strict_types=1);

namespace Paydesk;

/** What matters for posting, of an order or of a notification: see their method `state`. */
final class OrderState
{
    public function __construct(
        public readonly string $externalReference,
        public readonly string $amount,
        public readonly string $currency,
        public readonly string $status,
        public readonly int $statusVersion,
        public readonly bool $testMode,
        public readonly ?string $eventId = null,
    ) {
    }
}
