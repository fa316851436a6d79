<?php

declare(strict_types=1);

namespace Paydesk\Token;

/**
 * Keeps access tokens between requests. PHP usually forgets everything after each request, so give the client a store that lasts: a
 * file, or the cache of your framework. What it keeps is secret.
 */
interface TokenStore
{
    public function get(string $key): ?string;

    public function set(string $key, #[\SensitiveParameter] string $value, int $ttlS): void;

    public function delete(string $key): void;
}
