<?php

declare(strict_types=1);

namespace Paydesk\Token;

/** Keeps tokens as long as this process runs: for workers and commands. */
final class MemoryTokenStore implements TokenStore
{
    /** @var array<string, string> */
    private array $values = [];

    public function get(string $key): ?string
    {
        return $this->values[$key] ?? null;
    }

    public function set(string $key, #[\SensitiveParameter] string $value, int $ttlS): void
    {
        $this->values[$key] = $value;
    }

    public function delete(string $key): void
    {
        unset($this->values[$key]);
    }

    /** @return array<string, int> */
    public function __debugInfo(): array
    {
        return ['tokens' => count($this->values)];
    }
}
