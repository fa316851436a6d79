<?php

declare(strict_types=1);

namespace Paydesk\Http;

use Paydesk\Client;
use Paydesk\Model\Model;
use Paydesk\PaydeskException;
use Paydesk\Token\TokenSource;

/** @internal Sends calls of the API with a token, within a time limit. */
final class Sender
{
    private const USER_AGENT = 'paydesk-sdk-php/' . Client::VERSION;

    public function __construct(
        private readonly Environment $env,
        private readonly Retries $retries,
        private readonly float $timeoutS,
    ) {
    }

    public function deadline(?float $timeoutS): float
    {
        return $this->env->nowMs() + ($timeoutS ?? $this->timeoutS) * 1000;
    }

    /**
     * If the service rejects the token, it sends the call once more with a new one: a call with a rejected token has no effect. A
     * token that lacks a scope never gets it, so it is dropped for the next call, at most once a minute.
     */
    public function send(Call $call, TokenSource $tokens, ?float $timeoutS): \stdClass
    {
        $deadline = $this->deadline($timeoutS);
        $token = $tokens->get($deadline);
        try {
            return $this->retries->send(self::request($call, $token), $deadline);
        } catch (PaydeskException $error) {
            if ($error->errorCode === 'insufficient_scope') {
                $tokens->drop($token, 60_000);
            }
            if ($error->status !== 401) {
                throw $error;
            }
            $tokens->drop($token);
        }
        return $this->retries->send(self::request($call, $tokens->get($deadline)), $deadline);
    }

    /** With the token of a person, which only the person can replace. */
    public function sendAs(Call $call, #[\SensitiveParameter] string $userToken, ?float $timeoutS): \stdClass
    {
        if (!TokenSource::isToken($userToken)) {
            throw new \InvalidArgumentException('a token is visible ASCII without spaces');
        }
        return $this->retries->send(self::request($call, $userToken), $this->deadline($timeoutS));
    }

    private static function request(Call $call, #[\SensitiveParameter] string $token): Request
    {
        $query = self::form(array_filter($call->query, static fn ($value): bool => $value !== null));
        $url = $query === '' ? $call->url : "$call->url?$query";
        $headers = [
            'accept' => 'application/json',
            'authorization' => "Bearer $token",
            'user-agent' => self::USER_AGENT,
        ];
        if ($call->body === null) {
            return new Request($call->method, $url, $headers, null, $call->repeatable);
        }
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES;
        try {
            $body = json_encode($call->body, $flags);
        } catch (\JsonException) {
            throw new \InvalidArgumentException('the request is no JSON: all texts must be UTF-8');
        }
        $headers['content-type'] = 'application/json';
        return new Request($call->method, $url, $headers, $body, $call->repeatable);
    }

    /**
     * Members as a query or a form. The separator of php.ini is for links in pages: it can be `&amp;`.
     *
     * @param array<string, mixed> $members
     */
    public static function form(#[\SensitiveParameter] array $members): string
    {
        return http_build_query($members, '', '&');
    }

    /** An identifier as one path segment. Empty and dot segments would lead to another address. */
    public static function segment(string $identifier): string
    {
        if (in_array($identifier, ['', '.', '..'], true)) {
            throw new \InvalidArgumentException('an identifier must not be empty or made of dots');
        }
        return rawurlencode($identifier);
    }

    /**
     * The items of a list.
     *
     * @template T of Model
     * @param class-string<T> $class
     * @return list<T>
     */
    public static function items(string $class, \stdClass $answer, string $member = 'items'): array
    {
        $items = $answer->{$member} ?? null;
        if (!is_array($items)) {
            throw PaydeskException::invalidResponse('the list has no items');
        }
        return array_map($class::from(...), $items);
    }
}
