<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** A notification and its delivery. */
final class DeliveryRecord extends Model
{
    /**
     * @param array<string, mixed> $event
     * @param string $deliveryStatus `pending`, `delivered` or `failed`
     * @param list<mixed> $deliveryAttempts the latest ones; without `finished_at` one was interrupted, or it still runs
     */
    public function __construct(
        public readonly string $eventId,
        public readonly int $statusVersion,
        public readonly array $event,
        public readonly string $deliveryStatus,
        public readonly int $attempts,
        public readonly array $deliveryAttempts,
        public readonly ?string $nextAttemptAt = null,
        public readonly ?int $lastHttpStatus = null,
        public readonly ?string $lastError = null,
    ) {
    }
}
