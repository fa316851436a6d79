<?php

declare(strict_types=1);

namespace Paydesk\Token;

use Paydesk\Http\Request;
use Paydesk\Http\Sender;

/** @internal Who the client is, and where it gets tokens. */
final class Credentials
{
    public function __construct(
        public readonly string $tokenEndpoint,
        public readonly string $clientId,
        #[\SensitiveParameter] private readonly string $clientSecret,
    ) {
    }

    /**
     * A request to the token endpoint.
     *
     * @param array<string, string> $form
     */
    public function request(#[\SensitiveParameter] array $form, bool $repeatable): Request
    {
        $headers = ['accept' => 'application/json', 'content-type' => 'application/x-www-form-urlencoded'];
        $form += ['client_id' => $this->clientId, 'client_secret' => $this->clientSecret];
        return new Request('POST', $this->tokenEndpoint, $headers, Sender::form($form), $repeatable);
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['clientId' => $this->clientId];
    }
}
