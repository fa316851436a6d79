<?php

declare(strict_types=1);

namespace Paydesk\Http;

/** One request. Its body is serialized once, so that every retry sends the same bytes. */
final class Request
{
    /**
     * @param 'GET'|'POST' $method
     * @param array<string, string> $headers names in lower case
     * @param bool $repeatable whether a repetition has no further effect
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        #[\SensitiveParameter] public readonly array $headers,
        #[\SensitiveParameter] public readonly ?string $body = null,
        public readonly bool $repeatable = true,
    ) {
    }
}
