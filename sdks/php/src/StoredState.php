<?php

declare(strict_types=1);

namespace Paydesk;

/** What you have stored about a collection order. */
final class StoredState
{
    /** @param ?string $postedEventId the payment that was posted; null if none was */
    public function __construct(public readonly int $statusVersion, public readonly ?string $postedEventId = null)
    {
    }
}
