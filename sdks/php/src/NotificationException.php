<?php

declare(strict_types=1);

namespace Paydesk;

/** A request is no notification of the service. `detail` is for your log and contains nothing of the request. */
final class NotificationException extends \RuntimeException
{
    /** @param string $reason `missing_header`, `stale`, `bad_signature` or `malformed` */
    public function __construct(public readonly string $reason, public readonly string $detail)
    {
        parent::__construct("$reason: $detail");
    }
}
