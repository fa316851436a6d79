<?php

declare(strict_types=1);

namespace Paydesk\Http;

/** One request and its outcome, for logs and metrics. It contains no secret, no query and no body. */
final class Attempt
{
    /**
     * @param string $url without its query
     * @param int $attempt 1 is the first
     * @param int $status 0 without an answer
     * @param ?string $code the error code; null for a success
     * @param ?float $retryInMs the wait before the next attempt; null if this was the last one
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly int $attempt,
        public readonly int $status,
        public readonly ?string $code,
        public readonly float $durationMs,
        public readonly ?string $requestId,
        public readonly ?float $retryInMs,
    ) {
    }
}
