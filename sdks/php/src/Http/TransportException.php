<?php

declare(strict_types=1);

namespace Paydesk\Http;

/** No answer arrived. */
final class TransportException extends \RuntimeException
{
    public function __construct(string $message, public readonly bool $isTimeout = false)
    {
        parent::__construct($message);
    }
}
