<?php

declare(strict_types=1);

namespace Paydesk\Token;

use Paydesk\Http\Answer;
use Paydesk\Http\Environment;
use Paydesk\Http\Request;
use Paydesk\Http\Retries;
use Paydesk\PaydeskException;

/**
 * @internal Gets client-credentials tokens and keeps them until shortly before they expire: a tenth of the lifetime, at most a
 *     minute, is not used. The lifetime counts from the start of the request.
 */
final class TokenSource
{
    private readonly string $key;

    public function __construct(
        private readonly Environment $env,
        private readonly Retries $retries,
        private readonly Credentials $credentials,
        private readonly TokenStore $store,
        private readonly string $scope,
    ) {
        $this->key = 'paydesk.' . hash('sha256', "$credentials->tokenEndpoint $credentials->clientId $scope");
    }

    /** Whether a header can carry the text. */
    public static function isToken(mixed $text): bool
    {
        return is_string($text) && preg_match('/^[\x21-\x7e]+$/D', $text) === 1;
    }

    /** A token that does not expire soon. */
    public function get(float $deadlineMs): string
    {
        $stored = $this->stored();
        $now = $this->env->unixMs();
        // If the clock was set back, the age of the token is unknown, so a new one is obtained (D-1428).
        if ($stored !== null && $now >= $stored->obtained_at && $now < $stored->renew_at) {
            return $stored->token;
        }
        $form = ['grant_type' => 'client_credentials', 'scope' => $this->scope];
        $answer = $this->retries->send($this->credentials->request($form, true), $deadlineMs);
        $token = $answer->access_token ?? null;
        $expires_in = $answer->expires_in ?? null;
        if (!self::isToken($token) || !is_int($expires_in) || $expires_in <= 0) {
            throw PaydeskException::invalidResponse('the token answer lacks access_token or expires_in');
        }
        $lifetime_ms = $expires_in * 1000;
        $renew_at = $now + $lifetime_ms - min(60_000, $lifetime_ms / 10);
        $value = ['token' => $token, 'obtained_at' => $now, 'renew_at' => $renew_at];
        $this->store->set($this->key, json_encode($value, JSON_THROW_ON_ERROR), $expires_in);
        return $token;
    }

    /** Drops this token, unless it was already replaced or is younger than that. */
    public function drop(#[\SensitiveParameter] string $token, float $minAgeMs = 0): void
    {
        $stored = $this->stored();
        if ($stored?->token === $token && $this->env->unixMs() - $stored->obtained_at >= $minAgeMs) {
            $this->store->delete($this->key);
        }
    }

    private function stored(): ?\stdClass
    {
        $found = Answer::object($this->store->get($this->key) ?? '');
        $fits = self::isToken($found->token ?? null) && isset($found->obtained_at, $found->renew_at);
        return $fits ? $found : null;
    }
}
