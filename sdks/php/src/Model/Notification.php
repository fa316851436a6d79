<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** A verified notification. Store its `id`: the same notification can arrive again. */
final class Notification
{
    /** @param array<string, mixed> $raw the whole body */
    public function __construct(
        public readonly string $id,
        public readonly string $createdAt,
        public readonly NotificationData $data,
        public readonly array $raw,
    ) {
    }
}
