<?php

declare(strict_types=1);

namespace Paydesk\Token;

/** Keeps tokens in files that only this user can read, for web requests on one machine. */
final class FileTokenStore implements TokenStore
{
    /** @param string $directory outside what your web server serves; it is made if it is not there */
    public function __construct(private readonly string $directory)
    {
        if (!is_dir($directory) && !@mkdir($directory, 0700, true) && !is_dir($directory)) {
            throw new \InvalidArgumentException('the directory for tokens cannot be made');
        }
    }

    public function get(string $key): ?string
    {
        $value = @file_get_contents($this->path($key));
        return $value === false ? null : $value;
    }

    public function set(string $key, #[\SensitiveParameter] string $value, int $ttlS): void
    {
        // A new file (mode 0600), which takes the place of the old one at once: a reader never sees half of it.
        $new = @tempnam($this->directory, 'new');
        if ($new === false || @file_put_contents($new, $value) === false || !@rename($new, $this->path($key))) {
            // tempnam() falls back on the system's directory for temporary files.
            @unlink((string) $new);
            throw new \RuntimeException('the directory for tokens cannot be written to');
        }
    }

    public function delete(string $key): void
    {
        @unlink($this->path($key));
    }

    private function path(string $key): string
    {
        return $this->directory . '/' . hash('sha256', $key) . '.token';
    }
}
