<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** Where to send the browser, and what to keep in the person's session until the browser comes back. */
final class AuthorizationRequest
{
    /**
     * @param string $state compare it with `state` of the address that the browser comes back to
     * @param string $codeVerifier goes to `exchangeCode`; keep it on the server
     */
    public function __construct(
        public readonly string $url,
        public readonly string $state,
        #[\SensitiveParameter] public readonly string $codeVerifier,
    ) {
    }
}
