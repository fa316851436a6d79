<?php

declare(strict_types=1);

namespace Paydesk\Http;

/** @internal One call of the API. A query member of null is left out. */
final class Call
{
    /**
     * @param 'GET'|'POST' $method
     * @param array<string, string|int|null> $query
     * @param ?array<string, mixed> $body
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $query = [],
        #[\SensitiveParameter] public readonly ?array $body = null,
        public readonly bool $repeatable = true,
    ) {
    }
}
